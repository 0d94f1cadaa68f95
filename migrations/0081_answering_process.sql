-- Which process answers a message, as long as it does: any other one can tell an answer that is being made from one that broke off.
alter table brain.chat_exchanges add column answering uuid;
