-- A client may name a thread by words of a person, and what is freed of the table is overwritten after an erasure. Null in
-- every row; rows as long as a page stand in freed pages for a moment.
alter table checkpoint.threads add column padding text;
alter table checkpoint.threads alter column padding set statistics 0;
