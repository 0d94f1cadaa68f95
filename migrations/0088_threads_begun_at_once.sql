-- Two processes that begin the same thread at once: whichever is second finds it there. With one of its two keys named as the
-- one that may be taken, the other still refused it.
create or replace function checkpoint.enter_thread(of_tenant uuid, of_thread text) returns void
language plpgsql set search_path = checkpoint, brain, pg_temp
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true);
    perform enter_cell(of_tenant);
    if is_erased_thread(of_tenant, of_thread) then
        raise exception using errcode = 'BR410', message = 'this thread was erased';
    end if;
    if exists (select from threads where tenant_id = of_tenant and thread_id = of_thread) then
        return;
    end if;
    insert into threads (tenant_id, thread_id) values (of_tenant, of_thread) on conflict do nothing;
    if not exists (select from threads where tenant_id = of_tenant and thread_id = of_thread) then
        raise insufficient_privilege using message = 'the thread belongs to another tenant';
    end if;
end $$;
