-- LangGraph's store: values that graphs and their tools put under a namespace and a key. A person's own, like all of memory.

create table brain.store_items (
    tenant_id uuid not null,
    -- UUIDv5 of the compartment, the namespace and the key: in a group the same key is the same item for everybody.
    item_id uuid not null,
    user_id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    expires_at timestamptz,
    -- How long it lives after each writing, and after each reading that asks for it.
    ttl_minutes double precision check (ttl_minutes > 0),
    version integer not null check (version >= 1),
    scope text not null,
    namespace text[] not null,
    key text not null,
    value jsonb not null,
    primary key (tenant_id, item_id)
);
create index store_items_of_person on brain.store_items (tenant_id, scope, user_id, updated_at);
create index store_items_by_expiry on brain.store_items (expires_at) where expires_at is not null;

-- Every value that a key has had. A deletion and an expiry are versions without a value; what expired leaves no values.
create table brain.store_versions (
    tenant_id uuid not null,
    item_id uuid not null,
    version integer not null,
    scope text not null,
    user_id uuid not null,
    change text not null check (change in ('put', 'delete', 'expire')),
    namespace text[] not null,
    key text not null,
    value jsonb,
    recorded_at timestamptz not null,
    primary key (tenant_id, item_id, version),
    check ((value is null) = (change <> 'put'))
);

-- By which texts an item is found: one row per text of its indexed fields.
create table brain.store_texts (
    tenant_id uuid not null,
    item_id uuid not null,
    part integer not null,
    scope text not null,
    user_id uuid not null,
    words integer[] not null,
    grams integer[] not null,
    embedding_model text not null default 'none',
    embedding halfvec,
    primary key (tenant_id, item_id, part),
    foreign key (tenant_id, item_id) references brain.store_items (tenant_id, item_id) on delete cascade,
    check ((embedding is null) = (embedding_model = 'none'))
);

call brain.secure('brain.store_items');
call brain.secure('brain.store_versions');
call brain.secure('brain.store_texts');

-- Whether the session acts with the rights of the schema's owner: true in the functions below that run as the owner, and
-- for the owner's own login; never for the application. Rows that such a function may see need a policy that asks this.
create function brain.acts_as_owner() returns boolean
language sql stable parallel safe set search_path = pg_catalog, pg_temp
as $$ select pg_get_userbyid(relowner) = current_user from pg_class where oid = 'brain.schema_migrations'::regclass $$;

create policy maintenance on brain.store_items for select using ((select brain.acts_as_owner()));

-- Delete up to ``most`` items of all tenants that expired before a moment, with every value that they had; the versions stay
-- as a record without values. It looks across tenants for what has expired, and acts on each item as its owner would: the
-- settings are as they were when it ends. Returns how many items went.
create function brain.sweep_store(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    tenant_before constant text := coalesce(current_setting('brain.tenant_id', true), '');
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    user_before constant text := coalesce(current_setting('brain.user_id', true), '');
    expired brain.store_items;
    swept integer := 0;
begin
    for expired in select * from brain.store_items where expires_at < before order by expires_at limit most loop
        perform set_config('brain.tenant_id', expired.tenant_id::text, true),
                set_config('brain.scope', expired.scope, true),
                set_config('brain.user_id', expired.user_id::text, true);
        -- Whoever writes it at this moment gives it a new life.
        delete from brain.store_items i
        where i.tenant_id = expired.tenant_id and i.item_id = expired.item_id and i.expires_at < before;
        if found then
            delete from brain.recall_index r
            where r.tenant_id = expired.tenant_id and r.source_id = expired.item_id and r.lane = 'store';
            update brain.store_versions v set change = 'expire', value = null
            where v.tenant_id = expired.tenant_id and v.item_id = expired.item_id and v.change = 'put';
            swept := swept + 1;
        end if;
    end loop;
    perform set_config('brain.tenant_id', tenant_before, true), set_config('brain.scope', scope_before, true),
            set_config('brain.user_id', user_before, true);
    return swept;
end $$;

-- LangGraph's filters: every key of ``wanted`` has to hold in ``item``. A value is compared as it is, an object with operators
-- ($eq, $ne, $gt, $gte, $lt, $lte) by them; a missing key counts as null.
create function brain.compare_json(item jsonb, operator text, wanted jsonb) returns boolean
language sql immutable parallel safe
as $$
    select case
        when operator = '$eq' then item = wanted
        when operator = '$ne' then item <> wanted
        when jsonb_typeof(item) <> jsonb_typeof(wanted) or jsonb_typeof(item) not in ('number', 'string') then false
        when jsonb_typeof(item) = 'number' then
            case operator when '$gt' then (item #>> '{}')::numeric > (wanted #>> '{}')::numeric
                          when '$gte' then (item #>> '{}')::numeric >= (wanted #>> '{}')::numeric
                          when '$lt' then (item #>> '{}')::numeric < (wanted #>> '{}')::numeric
                          when '$lte' then (item #>> '{}')::numeric <= (wanted #>> '{}')::numeric end
        else
            case operator when '$gt' then (item #>> '{}') collate "C" > (wanted #>> '{}')
                          when '$gte' then (item #>> '{}') collate "C" >= (wanted #>> '{}')
                          when '$lt' then (item #>> '{}') collate "C" < (wanted #>> '{}')
                          when '$lte' then (item #>> '{}') collate "C" <= (wanted #>> '{}') end
    end
$$;

create function brain.matches_filter(item jsonb, wanted jsonb) returns boolean
language plpgsql immutable parallel safe
as $$
begin
    if jsonb_typeof(wanted) = 'array' then
        if jsonb_typeof(item) <> 'array' or jsonb_array_length(item) <> jsonb_array_length(wanted) then
            return false;
        end if;
        return not exists (select from generate_series(0, jsonb_array_length(wanted) - 1) n
                           where not brain.matches_filter(item -> n, wanted -> n));
    elsif jsonb_typeof(wanted) <> 'object' then
        return item = wanted;
    elsif exists (select from jsonb_object_keys(wanted) name where starts_with(name, '$')) then
        return not exists (select from jsonb_each(wanted) w where not brain.compare_json(item, w.key, w.value));
    elsif jsonb_typeof(item) <> 'object' then
        return false;
    end if;
    return not exists (select from jsonb_each(wanted) w
                       where not brain.matches_filter(coalesce(item -> w.key, 'null'), w.value));
end $$;

-- Whether a namespace begins (prefix) or ends (suffix) with a path in which * stands for any label.
create function brain.matches_path(namespace text[], match_type text, path text[]) returns boolean
language sql immutable parallel safe
as $$
    select cardinality(namespace) >= cardinality(path) and not exists (
        select from generate_subscripts(path, 1) place
        where path[place] <> '*'
          and path[place] <> namespace[place + case match_type when 'suffix'
                                                   then cardinality(namespace) - cardinality(path) else 0 end])
$$;

-- What stands under the namespace "memories" is found by recall, in a lane of its own.
alter table brain.recall_index drop constraint recall_index_lane_check;
alter table brain.recall_index add constraint recall_index_lane_check
    check (lane in ('turn', 'fact', 'summary', 'document', 'store'));
