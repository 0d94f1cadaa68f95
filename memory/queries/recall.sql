-- The one statement that finds memories again. Parameters only; the analyser and the policies decide their values.

-- name: recall
-- One person's rows, scanned once and scored exactly: BM25 over words and over grams with the person's own document
-- frequencies, cosine similarity, and the scores of the neighbouring turns. A group scope sees every speaker of the
-- group: then user_low and user_high span all ids. Each leg keeps its own best rows, so that an exact identifier is
-- found whatever the vectors say, and a near meaning whatever the words say.
with scanned as materialized (
    select
        ctid as place, asks, length, position, hashtext(speaker) as voice,
        case when position is not null then session_id else source_id end as thread,
        (words & %(asked)s::int[]) as words,
        (grams & %(asked)s::int[]) as grams,
        case when embedding_model = %(embedding_model)s
            then 1 - (embedding <=> %(embedding)s::halfvec) end as cosine
    from brain.recall_index
    where tenant_id = %(tenant_id)s and scope = %(scope)s
        and user_id between %(user_low)s and %(user_high)s
        and not staged
        -- The plain question comes first and costs two comparisons a row; every other one reads on.
        and case when %(plain)s then active and (invalid_at is null or invalid_at > %(at)s)
            else (
                case when %(as_of)s::timestamptz is null then active or %(history)s
                    else recorded_at <= %(as_of)s and (retired_at is null or retired_at > %(as_of)s) end
                and (%(history)s or invalid_at is null or invalid_at > %(at)s
                    or (%(as_of)s::timestamptz is not null and retired_at is not null))
                and (%(slice_start)s::timestamptz is null or lane <> 'fact'
                    or (valid_at < %(slice_end)s and (invalid_at is null or invalid_at > %(slice_start)s)))
            ) end
        and (not %(filtered)s or (
            (%(observed_start)s::timestamptz is null
                or (observed_at >= %(observed_start)s and observed_at < %(observed_end)s))
            and (%(lanes)s::text[] is null or lane = any(%(lanes)s))
            and (%(categories)s::text[] is null or category = any(%(categories)s))
            and (%(speakers)s::text[] is null or speaker = any(%(speakers)s))
            and (%(session_ids)s::uuid[] is null or session_id = any(%(session_ids)s))
            and confidence >= %(confidence_min)s
            and (verified or not %(verified_only)s)
        ))
),
corpus as materialized (
    select count(*) as rows, greatest(avg(length), 1)::float8 as mean_length, nullif(greatest(max(cosine), 0), 0) as best_cosine
    from scanned
),
found as materialized (
    select place, 1.9::float8 / (1 + 0.9::float8 * (0.6::float8 + 0.4::float8 * length / mean_length)) as brevity,
        unnest(words || grams) as term
    from scanned cross join corpus
),
-- What each asked term is worth here: its weight times its rarity among this person's own rows.
rarity as materialized (
    select term, part, weight * ln(1 + (rows - coalesce(seen, 0) + 0.5::float8) / (coalesce(seen, 0) + 0.5::float8)) as points
    from unnest(%(terms)s::int[], %(parts_of_terms)s::int[], %(weights)s::float8[]) as asked (term, part, weight)
    left join (select term, count(*) as seen from found group by term) as frequency using (term)
    cross join corpus
),
matched as (
    select place, part, sum(points) as covered, sum(points) * max(brevity) as score
    from found full join rarity using (term)
    group by place, part
),
shares as (
    select place, covered, score / max(score) over (partition by part) as share from matched
),
lexical as (
    select place, sum(share) / %(parts)s as lexical,
        sum(covered) / nullif((select sum(points) from rarity), 0) as coverage
    from shares
    group by place
),
-- Numbered so that the turns of a session stand side by side.
scored as materialized (
    select place, thread, voice, asks, cosine, coalesce(lexical, 0) as lexical, coalesce(coverage, 0) as coverage,
        coalesce(greatest(cosine, 0) / best_cosine, 0) as vector,
        %(lexical_weight)s::float8 * coalesce(lexical, 0)
            + %(vector_weight)s::float8 * coalesce(greatest(cosine, 0) / best_cosine, 0) as own,
        row_number() over (order by thread, position) as number
    -- A full join is a hash join whatever the planner believes about the number of rows.
    from scanned full join lexical using (place) cross join corpus
),
-- Everybody's own score by number: the neighbours of the few are looked up, not windowed over all.
line as materialized (
    select array_agg(own order by number) as owns, array_agg(thread order by number) as threads,
        array_agg(voice order by number) as voices, array_agg(asks order by number) as asking
    from scored
    where thread is not null
),
seeds as materialized (
    (select number, thread from scored where own > 0 order by own desc, number limit %(reach)s)
    union
    (select number, thread from scored where lexical > 0 order by lexical desc, number limit %(leg_reach)s)
    union
    (select number, thread from scored where cosine > 0 order by cosine desc, number limit %(leg_reach)s)
),
-- The turns beside what was found: an answer may share no word with its question.
chosen as materialized (
    select seeds.number + step as number
    from seeds cross join line cross join (values (-1), (0), (1)) as steps (step)
    where step = 0 or threads[seeds.number + step] = seeds.thread
),
-- What the best rows say beyond the question: a row that says it too is about the same thing ("the event for three
-- thousand people" names itself, and its place is told elsewhere under that name).
leaders as materialized (
    select leader.number, leader.own / max(leader.own) over () as weight, row.words - %(asked)s::int[] as words
    from (select number, place, own from scored where own > 0 order by own desc, number limit %(leaders)s) as leader
    join brain.recall_index as row on row.ctid = place
    where row.tenant_id = %(tenant_id)s
)
select
    row.source_id, row.lane, row.text, row.user_id, row.session_id, row.position, row.role, row.speaker, row.category,
    row.observed_at, row.valid_at, row.invalid_at, row.recorded_at, row.retired_at, row.active, row.confidence,
    row.provenance, row.epistemic_type, row.verified, row.last_validated_at, row.injected_count, row.positive_count,
    row.derived_from,
    lexical, cosine, vector, coverage, own,
    case when threads[number - 1] = thread then owns[number - 1] else 0 end as before,
    case when threads[number - 2] = thread then owns[number - 2] else 0 end as before_2,
    case when threads[number + 1] = thread then owns[number + 1] else 0 end as after,
    case when threads[number + 2] = thread then owns[number + 2] else 0 end as after_2,
    coalesce(threads[number - 1] = thread and voices[number - 1] <> voice, false) as replies,
    coalesce(threads[number + 1] = thread and voices[number + 1] <> voice, false) as replied,
    coalesce(threads[number - 1] = thread and asking[number - 1], false) as asked,
    coalesce((
        select max(weight * cardinality(row.words & leaders.words) / cardinality(leaders.words))
        from leaders where leaders.number <> scored.number and cardinality(leaders.words) > 0
    ), 0) as kin,
    rows as corpus_rows, mean_length
from scored cross join line cross join corpus
join brain.recall_index as row on row.ctid = place
-- "is true" keeps this a hashed lookup; as a join the planner, expecting one row, would compare all with all.
where (number in (select number from chosen)) is true and row.tenant_id = %(tenant_id)s
order by own desc, row.source_id;
