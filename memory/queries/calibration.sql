-- name: vector_weights
-- How much the vectors of each model are worth to a tenant, by the language of the question.
select model, language, weight, questions, measured_at
from brain.vector_weights
where tenant_id = %(tenant_id)s
order by model, language
limit 1000;

-- name: save_vector_weight
-- A measurement replaces the earlier one of the same model and language.
insert into brain.vector_weights (tenant_id, model, language, weight, questions, measured_at)
values (%(tenant_id)s, %(model)s, %(language)s, %(weight)s, %(questions)s, %(measured_at)s)
on conflict (tenant_id, model, language) do update
    set weight = excluded.weight, questions = excluded.questions, measured_at = excluded.measured_at;
