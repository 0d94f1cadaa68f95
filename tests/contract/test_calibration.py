"""What was measured about embedding models."""

from dataclasses import replace
from uuid import uuid4

from memory.calibration import VectorWeight, weights_by_language
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import at


def measured(language: str = "en", weight: float = 0.5, model: str = "test:m") -> VectorWeight:
    return VectorWeight(model=model, language=language, weight=weight, questions=40, measured_at=at())


async def test_measurements_come_back_by_model_and_language(memory: MemoryCore, scope: Scope):
    weights = [measured("zh", 0.0), measured("en", 0.25), measured("en", 1.0, "test:a")]
    await memory.calibration.save_vector_weights(scope, weights)
    found = await memory.calibration.vector_weights(scope)
    assert found == [weights[2], weights[1], weights[0]]
    assert weights_by_language("test:m", found) == {"en": 0.25, "zh": 0.0}


async def test_a_new_measurement_replaces_the_earlier_one_of_its_language(memory: MemoryCore, scope: Scope):
    await memory.calibration.save_vector_weights(scope, [measured("en", 0.25), measured("zh", 1.0)])
    later = replace(measured("en", 0.0), questions=80, measured_at=at(5))
    await memory.calibration.save_vector_weights(scope, [later])
    assert await memory.calibration.vector_weights(scope) == [later, measured("zh", 1.0)]


async def test_a_tenant_shares_its_measurements_and_no_other_sees_them(memory: MemoryCore, scope: Scope):
    await memory.calibration.save_vector_weights(scope, [measured()])
    assert await memory.calibration.vector_weights(replace(scope, user_id=uuid4())) == [measured()]
    assert await memory.calibration.vector_weights(replace(scope, tenant_id=uuid4())) == []
