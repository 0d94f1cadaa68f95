"""Memory CI: ``brain eval all``. One file per part, each with figures and a verdict; begin reading at ``parts``."""
