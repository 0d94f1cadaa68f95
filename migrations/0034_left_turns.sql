-- Turns that a crash made their thread leave are told from others by what the thread's checkpoints hold. Those of an open
-- server belong to another tenant than its turns, so whether there is one is told across tenants, and nothing else.

-- Whether a thread has a checkpoint of a turn. There a turn is named by 'operation_id' and, as text of 36 bytes, its id.
create function checkpoint.has_turn(of_thread text, of_turn uuid) returns boolean
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
    select exists (
        select from checkpoint.checkpoint_blobs
        where thread_id = of_thread and channel = 'turn'
          and position('operation_id'::bytea || '\xd924'::bytea || convert_to(of_turn::text, 'utf8') in blob) > 0)
$$;
