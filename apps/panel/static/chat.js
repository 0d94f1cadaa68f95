// Shows an answer while it is worded. Without this script the form is sent as any other, and the page comes when all is said.
"use strict";

const form = document.querySelector("form[data-chat]");
const talk = document.querySelector(".talk");
const failed = form.querySelector("[role=alert]");

function addTurn(kind, speaker, words) {
  const turn = document.createElement("li");
  turn.className = `turn ${kind}`;
  const head = turn.appendChild(document.createElement("p"));
  head.className = "meta";
  head.appendChild(document.createElement("b")).textContent = speaker;
  const body = turn.appendChild(document.createElement("p"));
  body.className = "words";
  body.textContent = words;
  talk.appendChild(turn);
  return body;
}

async function readAnswer(fields, body) {
  const response = await fetch(form.action, { method: "POST", headers: { Accept: "text/plain" }, body: fields });
  if (response.redirected) {
    location.assign(response.url);
    return;
  }
  if (!response.ok) throw new Error(response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    body.textContent += piece.value;
    body.scrollIntoView({ block: "nearest" });
  }
  location.assign(form.dataset.after);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form));
  const said = addTurn("mine", form.dataset.you, form.elements.words.value);
  const body = addTurn("theirs", "Brain", "");
  talk.setAttribute("aria-busy", "true");
  form.querySelector("button").disabled = true;
  failed.hidden = true;
  try {
    await readAnswer(fields, body);
  } catch {
    said.parentElement.remove();
    body.parentElement.remove();
    failed.hidden = false;
    form.querySelector("button").disabled = false;
  }
  talk.removeAttribute("aria-busy");
});

form.elements.words.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
