-- PostgreSQL's roles: whoever serves pages does not own the tables and so cannot take the guards away.
--
--   psql --no-psqlrc -v ON_ERROR_STOP=1 -d tournament -f deploy/roles.sql
--
-- as a superuser, once after the first `manage.py migrate`; harmless when run again. Then give each role that signs in a
-- password. `tournament_owner` migrates, backs up and restores; `tournament_app` serves; `tournament_public` reads what
-- is released; `tournament_auditor` reads all but what opens a door (passwords, PINs, sessions, tokens, links) and who
-- people are.

DO $roles$
DECLARE
    named text;
    made record;
BEGIN
    FOREACH named IN ARRAY ARRAY['owner', 'app', 'public', 'auditor'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'tournament_' || named) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION', 'tournament_' || named);
        END IF;
    END LOOP;
    ALTER ROLE tournament_owner CREATEDB;
    EXECUTE format('ALTER DATABASE %I OWNER TO tournament_owner', current_database());
    FOR made IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE public.%I OWNER TO tournament_owner', made.tablename);
    END LOOP;
    FOR made IN SELECT proname FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'guard\_%' LOOP
        EXECUTE format('ALTER FUNCTION public.%I() OWNER TO tournament_owner', made.proname);
    END LOOP;
END
$roles$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO tournament_owner;
GRANT USAGE ON SCHEMA public TO tournament_app, tournament_public, tournament_auditor;

-- No TRUNCATE, no REFERENCES, no TRIGGER: rows and nothing else.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO tournament_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO tournament_app;
ALTER DEFAULT PRIVILEGES FOR ROLE tournament_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO tournament_app;
ALTER DEFAULT PRIVILEGES FOR ROLE tournament_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO tournament_app;
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM tournament_app;

GRANT SELECT ON tournament_release TO tournament_public;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO tournament_auditor;
-- What opens a door, and who people are: an auditor compares numbers, digests and acts, and needs neither.
REVOKE SELECT ON django_session, auth_user, tournament_apitoken, tournament_device, tournament_pairing,
    tournament_refereepin, tournament_invitation, tournament_person, tournament_entrantfile, tournament_quarantinedsubmission,
    tournament_drawing, tournament_requestkey, tournament_proposal
    FROM tournament_auditor;
GRANT SELECT (id, username, first_name, last_name, is_active) ON auth_user TO tournament_auditor;
GRANT SELECT (id, stage_id, entrant_id, made_by_id, made_at, revoked_at) ON tournament_invitation TO tournament_auditor;
GRANT SELECT (id, language, consent_guardian, consent_name, consent_photo, consent_marketing)
    ON tournament_person TO tournament_auditor;
