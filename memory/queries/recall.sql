-- The one statement that finds memories again. Parameters only; the analyser and the policies decide their values.

-- name: recall
-- One person's rows, scanned once and scored exactly: BM25 over words and pieces of words with the person's own
-- document frequencies, cosine similarity, and the scores of the neighbouring turns. Between the scan and the answer a
-- row is known by its place (ctid), which stands still within one statement. A group scope sees every speaker of the
-- group: then user_low and user_high span all ids. Each retriever keeps its own best rows, so that an exact identifier is
-- found whatever the vectors say, and a near meaning whatever the words say.
with scanned as materialized (
    select
        ctid as place, length, asks, speaker as voice, coalesce(position, 0) as position,
        coalesce(span_start, 0) as start,
        case when position is null then source_id else session_id end as thread,
        (words & %(asked)s::int[]) as words,
        (grams & %(asked)s::int[]) as grams,
        case when embedding_model = %(embedding_model)s
            then 1 - (embedding <=> %(embedding)s::halfvec) end as cosine
    from brain.recall_index
    where tenant_id = %(tenant_id)s and scope = %(scope)s
        and user_id between %(user_low)s and %(user_high)s
        and not staged
        -- A question that was asked before in the very same words answers nothing.
        and not (asks and lane = 'turn' and text = %(said)s)
        -- Nor do the words that are being answered now.
        and coalesce(event_id, source_id) <> all (%(apart_from)s::uuid[])
        -- The plain question comes first and costs two comparisons a row; every other one reads on.
        -- What was over by its own words when it was said is no less true now.
        and case when %(plain)s then active and (invalid_at is null or invalid_at > %(at)s
                or (lane = 'fact' and invalid_at <= observed_at))
            else (
                case when %(as_of)s::timestamptz is null then active or %(history)s
                    else recorded_at <= %(as_of)s and (retired_at is null or retired_at > %(as_of)s) end
                and (%(history)s or invalid_at is null or invalid_at > %(at)s
                    or (lane = 'fact' and invalid_at <= observed_at)
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
            and confidence >= %(confidence_min)s::real
            and (verified or not %(verified_only)s)
        ))
),
corpus as materialized (
    select count(*) as rows, greatest(avg(length), 1)::float8 as mean_length,
        greatest(avg(cosine) - stddev_pop(cosine), 0) as least_cosine, max(cosine) as best_cosine
    from scanned
),
found as materialized (
    select place, length, unnest(words || grams) as term from scanned where words <> '{}' or grams <> '{}'
),
-- What each asked term is worth here: its weight times its rarity among this person's own rows.
rarity as materialized (
    select term, part, weight * ln(1 + (rows - coalesce(seen, 0) + 0.5::float8) / (coalesce(seen, 0) + 0.5::float8)) as points
    from unnest(%(terms)s::int[], %(parts_of_terms)s::int[], %(weights)s::float8[]) as asked (term, part, weight)
    left join (select term, count(*) as seen from found group by term) as frequency using (term)
    cross join corpus
),
matched as (
    select place, part, sum(points) as covered,
        sum(points) / (1 + %(bm25_k1)s::float8 * (1 - %(bm25_b)s::float8 + %(bm25_b)s::float8 * max(length) / max(mean_length))) as score
    from found full join rarity using (term) cross join corpus
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
-- Vectors count on their model's own scale: how far a row stands above what is common to this person's rows, where
-- the cosines of some models lie between 0.7 and 0.9, as a share of the best.
weighed as (
    select place, thread, position, start, voice, asks, cosine,
        coalesce(lexical, 0) as lexical, coalesce(coverage, 0) as coverage,
        case when best_cosine > least_cosine then greatest(cosine - least_cosine, 0) / (best_cosine - least_cosine)
            when cosine > 0 then 1 else 0 end as vector
    -- A full join is a hash join whatever the planner believes about the number of rows.
    from scanned full join lexical using (place) cross join corpus
),
scored as materialized (
    select weighed.*, %(lexical_weight)s::float8 * lexical + %(vector_weight)s::float8 * vector as own from weighed
),
best as materialized (
    select place, thread, position, start, own from scored where own > 0
    order by own desc, thread, position, start limit %(reach)s
),
per_retriever as materialized (
    (select place, thread, position from scored where lexical > 0
        order by lexical desc, thread, position, start limit %(retriever_reach)s)
    union
    (select place, thread, position from scored where cosine > 0
        order by cosine desc, thread, position, start limit %(retriever_reach)s)
),
seeds as materialized (
    select place, thread, position from best union select place, thread, position from per_retriever
),
-- The seeds and six positions to either side: the next turn may be the answer, and is read with the turns around it.
-- "is true" keeps the lookups hashed; as joins the planner, expecting one row, would compare all with all.
near as (
    select scored.*, (place in (select place from seeds)) is true as seed
    from scored
    where ((thread, position) in (
        select thread, position + step from seeds cross join generate_series(-6, 6) as step)) is true
),
-- A neighbour is the next indexed turn, at most two positions away. The passages of a turn share its position and its
-- neighbours; as a neighbour it is as good as the best of them.
neighbours as (
    select near.*,
        case when position - max(position) over previous <= 2 then max(own) over previous else 0 end as before,
        case when position - max(position) over last_but_one <= 4 then max(own) over last_but_one else 0 end as before_2,
        case when max(position) over next - position <= 2 then max(own) over next else 0 end as after,
        case when max(position) over next_but_one - position <= 4 then max(own) over next_but_one else 0 end as after_2,
        coalesce(position - max(position) over previous <= 2 and max(voice) over previous <> voice, false) as replies,
        coalesce(max(position) over next - position <= 2 and max(voice) over next <> voice, false) as replied,
        coalesce(position - max(position) over previous <= 2 and bool_or(asks) over previous, false) as asked,
        coalesce(position - max(position) over previous <= 2 and bool_or(seed) over previous, false)
            or coalesce(max(position) over next - position <= 2 and bool_or(seed) over next, false) as beside
    from near
    window turns as (partition by thread order by position),
        previous as (turns groups between 1 preceding and 1 preceding),
        last_but_one as (turns groups between 2 preceding and 2 preceding),
        next as (turns groups between 1 following and 1 following),
        next_but_one as (turns groups between 2 following and 2 following)
),
-- What a retriever found stays; the rest by a rough sum of its own and its neighbours' scores, which the policy then
-- weighs exactly. Of a long turn beside a seed only its beginning comes along, and what answers by itself.
chosen as (
    select * from neighbours where seed or beside and (own > 0 or start = 0)
    order by (place in (select place from per_retriever)) is true desc,
        own + %(next_turn)s::float8 * (before + after) + %(second_turn)s::float8 * (before_2 + after_2)
            + case when asked then %(rough_answer)s::float8 * before else 0 end desc, thread, position, start
    limit %(brought)s
),
-- What the best rows say beyond the question: a row that says it too is about the same thing ("the event for three
-- thousand people" names itself, and its place is told elsewhere under that name).
further as materialized (
    select leader.place, leader.own / max(leader.own) over () as weight, row.words - %(asked)s::int[] as words
    from (select place, own from best order by own desc, thread, position, start limit %(leaders)s) as leader
    join brain.recall_index as row on row.ctid = place
    where row.tenant_id = %(tenant_id)s
)
select
    row.source_id, row.lane, row.text, row.session_id, row.position, row.role, row.speaker, row.category,
    row.event_id, row.span_start, row.span_end, row.about,
    row.observed_at, row.valid_at, row.invalid_at, row.recorded_at, row.retired_at, row.active, row.confidence,
    row.verified, row.provenance, row.epistemic_type, row.last_validated_at, row.injected_count, row.positive_count,
    row.derived_from,
    lexical, cosine, vector, coverage, own, before, before_2, after, after_2, replies, replied, chosen.asked,
    coalesce((
        select max(weight * cardinality(row.words & further.words) / cardinality(further.words))
        from further where further.place <> chosen.place and cardinality(further.words) > 0
    ), 0) as kin,
    rows as corpus_rows, mean_length
from chosen cross join corpus
join brain.recall_index as row on row.ctid = chosen.place
where row.tenant_id = %(tenant_id)s
order by own desc, row.source_id;
