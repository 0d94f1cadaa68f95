// Tells the panel in which time zone the reader is. Without it, times are in the server's zone; each page names its zone.
"use strict";

const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone || "");
const told = `brain_panel_zone=${zone}`;
const isTold = () => document.cookie.split("; ").includes(told);

if (zone && !isTold()) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${told}; Path=/panel; Max-Age=31536000; SameSite=Lax${secure}`;
  // Once, for what is shown already; never for an answer to a form.
  if (isTold() && document.body.dataset.method === "GET" && document.querySelector("main time")) location.reload();
}
