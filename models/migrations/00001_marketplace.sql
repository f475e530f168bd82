-- The marketplace: teams and people, services, what consumers declare, and the
-- change instances that follow from it. One text for both databases; the words
-- in double braces are replaced by each dialect's own (models/migrate.go).
-- +goose Up

CREATE TABLE users (
  id             {{id}},
  name           text NOT NULL UNIQUE,
  password_hash  text NOT NULL,
  platform_admin {{bool}} NOT NULL,
  disabled       {{bool}} NOT NULL,
  last_sign_in   {{time}},
  created        {{time}} NOT NULL,
  modified       {{time}} NOT NULL
);

CREATE TABLE teams (
  id                               {{id}},
  name                             text NOT NULL UNIQUE,
  metadata                         text NOT NULL,
  email                            text NOT NULL,
  allow_submit_submission_builder  {{bool}} NOT NULL,
  deletion_guard                   text NOT NULL CHECK (deletion_guard IN ('off', 'application', 'any')),
  declaration_version              bigint NOT NULL,
  created                          {{time}} NOT NULL,
  modified                         {{time}} NOT NULL
);

CREATE TABLE memberships (
  id       {{id}},
  user_id  bigint NOT NULL REFERENCES users (id),
  team_id  bigint NOT NULL REFERENCES teams (id),
  role     text NOT NULL CHECK (role IN ('ADMIN', 'GENERAL', 'READ_ONLY')),
  created  {{time}} NOT NULL,
  modified {{time}} NOT NULL,
  UNIQUE (user_id, team_id)
);
CREATE INDEX memberships_team ON memberships (team_id);

CREATE TABLE api_keys (
  id         {{id}},
  team_id    bigint NOT NULL REFERENCES teams (id),
  name       text NOT NULL,
  prefix     text NOT NULL UNIQUE,
  hash       {{bytes}} NOT NULL,
  role       text NOT NULL CHECK (role IN ('ADMIN', 'GENERAL', 'READ_ONLY')),
  created_by text NOT NULL,
  created    {{time}} NOT NULL,
  expires    {{time}} NOT NULL,
  last_used  {{time}},
  revoked    {{time}}
);
CREATE INDEX api_keys_team ON api_keys (team_id);

CREATE TABLE user_tokens (
  id        {{id}},
  user_id   bigint NOT NULL REFERENCES users (id),
  team_id   bigint REFERENCES teams (id),
  prefix    text NOT NULL UNIQUE,
  hash      {{bytes}} NOT NULL,
  name      text NOT NULL,
  created   {{time}} NOT NULL,
  expires   {{time}} NOT NULL,
  last_used {{time}},
  revoked   {{time}}
);
CREATE INDEX user_tokens_user ON user_tokens (user_id);

CREATE TABLE sessions (
  id      {{id}},
  hash    {{bytes}} NOT NULL UNIQUE,
  user_id bigint NOT NULL REFERENCES users (id),
  team_id bigint REFERENCES teams (id),
  address text NOT NULL,
  agent   text NOT NULL,
  created {{time}} NOT NULL,
  seen    {{time}} NOT NULL,
  expires {{time}} NOT NULL,
  revoked {{time}}
);
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE sign_in_failures (
  id      {{id}},
  account text NOT NULL,
  address text NOT NULL,
  at      {{time}} NOT NULL
);
CREATE INDEX sign_in_failures_account ON sign_in_failures (account, at);
CREATE INDEX sign_in_failures_address ON sign_in_failures (address, at);

CREATE TABLE settings (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE services (
  id                      {{id}},
  name                    text NOT NULL UNIQUE,
  owner_id                bigint NOT NULL REFERENCES teams (id),
  state                   text NOT NULL CHECK (state IN ('IN_SERVICE', 'NO_NEW_SERVICE_ITEM', 'NO_MODIFY_EXISTING_SERVICE_ITEM', 'DECOMMISSIONED')),
  schema_version          bigint NOT NULL,
  minimum_schema_version  bigint NOT NULL,
  approval_required       {{bool}} NOT NULL,
  allow_manual_approval   {{bool}} NOT NULL,
  allow_manual_completion {{bool}} NOT NULL,
  private                 {{bool}} NOT NULL,
  description             text NOT NULL,
  readme                  text NOT NULL,
  tags                    text NOT NULL,
  version                 bigint NOT NULL,
  created                 {{time}} NOT NULL,
  modified                {{time}} NOT NULL
);
CREATE INDEX services_owner ON services (owner_id);

CREATE TABLE service_versions (
  id           {{id}},
  service_id   bigint NOT NULL REFERENCES services (id),
  version      bigint NOT NULL,
  schema       text NOT NULL,
  hash         {{bytes}} NOT NULL,
  published_by text NOT NULL,
  created      {{time}} NOT NULL,
  UNIQUE (service_id, version)
);

CREATE TABLE service_allowed_teams (
  service_id bigint NOT NULL REFERENCES services (id),
  team_id    bigint NOT NULL REFERENCES teams (id),
  PRIMARY KEY (service_id, team_id)
);
CREATE INDEX service_allowed_teams_team ON service_allowed_teams (team_id);

CREATE TABLE service_dependants (
  service_id bigint NOT NULL REFERENCES services (id),
  team_id    bigint NOT NULL REFERENCES teams (id),
  PRIMARY KEY (service_id, team_id)
);
CREATE INDEX service_dependants_team ON service_dependants (team_id);

CREATE TABLE applications (
  id       {{id}},
  team_id  bigint NOT NULL REFERENCES teams (id),
  name     text NOT NULL,
  metadata text NOT NULL,
  created  {{time}} NOT NULL,
  modified {{time}} NOT NULL,
  UNIQUE (team_id, name),
  UNIQUE (id, team_id)
);

CREATE TABLE previews (
  id              text PRIMARY KEY,
  team_id         bigint NOT NULL REFERENCES teams (id),
  created_by      text NOT NULL,
  text            {{bytes}} NOT NULL,
  yaml            {{bool}} NOT NULL,
  partial         {{bool}} NOT NULL,
  applications    text NOT NULL,
  base_version    bigint NOT NULL,
  schema_versions text NOT NULL,
  plan            text NOT NULL,
  live            {{bool}} NOT NULL,
  created         {{time}} NOT NULL,
  expires         {{time}} NOT NULL
);
CREATE INDEX previews_team ON previews (team_id, created_by, created);

CREATE TABLE submissions (
  id                  {{id}},
  team_id             bigint NOT NULL REFERENCES teams (id),
  user_id             bigint REFERENCES users (id),
  submitted_by        text NOT NULL,
  via                 text NOT NULL,
  commit_id           text NOT NULL,
  comment             text NOT NULL,
  yaml                {{bool}} NOT NULL,
  partial             {{bool}} NOT NULL,
  applications        text NOT NULL,
  confirmed_deletes   bigint NOT NULL,
  declaration_version bigint NOT NULL,
  creates             bigint NOT NULL,
  modifies            bigint NOT NULL,
  deletes             bigint NOT NULL,
  referenced          bigint NOT NULL,
  dependent           bigint NOT NULL,
  withdrawn           bigint NOT NULL,
  preview_id          text,
  created             {{time}} NOT NULL
);
CREATE INDEX submissions_team ON submissions (team_id, id);

CREATE TABLE submission_texts (
  submission_id bigint PRIMARY KEY REFERENCES submissions (id),
  text          {{bytes}} NOT NULL
);

-- base_change_id is the newest standing change of the owner's lane (marketplace
-- G1), declared_change_id the newest standing one that declares something; the
-- item counts as declared when both are the same.
CREATE TABLE service_items (
  id                    {{id}},
  consumer_team_id      bigint NOT NULL,
  application_id        bigint NOT NULL,
  service_id            bigint NOT NULL REFERENCES services (id),
  name                  text NOT NULL,
  runtime_state         text NOT NULL CHECK (runtime_state IN ('REQUESTED', 'IN_SERVICE', 'DECOMMISSIONED')),
  change_state          text NOT NULL CHECK (change_state IN ('CHANGES_ERRORED', 'CHANGES_REJECTED', 'CHANGES_PENDING', 'CHANGES_APPROVED', 'ALL_CHANGES_COMPLETED')),
  base_change_id        bigint,
  declared_change_id    bigint,
  declaration           text NOT NULL,
  declaration_hash      {{bytes}} NOT NULL,
  declaration_version   bigint NOT NULL,
  last_version          bigint NOT NULL,
  schema_version        bigint NOT NULL,
  deployed_version      bigint NOT NULL,
  created               {{time}} NOT NULL,
  modified              {{time}} NOT NULL,
  FOREIGN KEY (application_id, consumer_team_id) REFERENCES applications (id, team_id),
  UNIQUE (id, consumer_team_id, application_id, service_id)
);
CREATE UNIQUE INDEX service_items_live ON service_items (consumer_team_id, application_id, service_id, name) WHERE runtime_state <> 'DECOMMISSIONED';
CREATE INDEX service_items_consumer ON service_items (consumer_team_id, id);
CREATE INDEX service_items_service ON service_items (service_id, id);
CREATE INDEX service_items_application ON service_items (application_id);

-- Consumer, application and service repeat those of the item: one key over all
-- four keeps them the same, and is a quarter of the work of four keys.
CREATE TABLE change_instances (
  id                    {{id}},
  consumer_team_id      bigint NOT NULL,
  owner_id              bigint NOT NULL REFERENCES teams (id),
  service_owner_team_id bigint NOT NULL REFERENCES teams (id),
  submission_id         bigint REFERENCES submissions (id),
  service_item_id       bigint NOT NULL,
  application_id        bigint NOT NULL,
  service_id            bigint NOT NULL,
  change_type           text NOT NULL CHECK (change_type IN ('CREATE', 'MODIFY', 'DELETE')),
  kind                  text NOT NULL CHECK (kind IN ('basic', 'referenced', 'dependent')),
  state                 text NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED', 'ERRORED', 'COMPLETED', 'CLOSED')),
  log                   text NOT NULL,
  new_declaration       text,
  new_hash              {{bytes}},
  new_version           bigint NOT NULL,
  old_declaration       text,
  old_version           bigint NOT NULL,
  schema_version        bigint NOT NULL,
  origin_id             bigint,
  retry_of              bigint,
  superseded_by         bigint,
  closed_reason         text NOT NULL CHECK (closed_reason IN ('', 'rejected', 'errored', 'withdrawn', 'superseded')),
  lapsed                {{bool}} NOT NULL,
  assignee_id           bigint REFERENCES users (id),
  version               bigint NOT NULL,
  created               {{time}} NOT NULL,
  modified              {{time}} NOT NULL,
  FOREIGN KEY (service_item_id, consumer_team_id, application_id, service_id) REFERENCES service_items (id, consumer_team_id, application_id, service_id),
  CHECK ((change_type = 'DELETE') = (new_declaration IS NULL)),
  CHECK (change_type <> 'CREATE' OR old_declaration IS NULL)
);
CREATE UNIQUE INDEX change_instances_retry_of ON change_instances (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX change_instances_owner ON change_instances (owner_id, id);
CREATE INDEX change_instances_owner_open ON change_instances (owner_id, id) WHERE state IN ('PENDING', 'APPROVED', 'REJECTED', 'ERRORED');
CREATE INDEX change_instances_consumer ON change_instances (consumer_team_id, id);
CREATE INDEX change_instances_consumer_open ON change_instances (consumer_team_id, id) WHERE state IN ('PENDING', 'APPROVED', 'REJECTED', 'ERRORED');
CREATE INDEX change_instances_item ON change_instances (service_item_id, id);
CREATE INDEX change_instances_submission ON change_instances (submission_id, id);
CREATE INDEX change_instances_service ON change_instances (service_id, id);
CREATE INDEX change_instances_origin ON change_instances (origin_id) WHERE origin_id IS NOT NULL;

CREATE TABLE change_causes (
  change_id bigint NOT NULL REFERENCES change_instances (id),
  cause_id  bigint NOT NULL REFERENCES change_instances (id),
  PRIMARY KEY (change_id, cause_id)
);
CREATE INDEX change_causes_cause ON change_causes (cause_id);

CREATE TABLE change_history (
  id              {{id}},
  change_id       bigint NOT NULL REFERENCES change_instances (id),
  state           text NOT NULL,
  log             text NOT NULL,
  reason          text NOT NULL CHECK (reason IN ('state', 'log')),
  changed_by      text NOT NULL,
  changed_by_team text NOT NULL,
  via             text NOT NULL CHECK (via IN ('portal', 'api', 'bulk', 'system')),
  at              {{time}} NOT NULL
);
CREATE INDEX change_history_change ON change_history (change_id, id);

CREATE TABLE deployed_items (
  id               {{id}},
  service_item_id  bigint NOT NULL REFERENCES service_items (id),
  consumer_team_id bigint NOT NULL REFERENCES teams (id),
  change_id        bigint REFERENCES change_instances (id),
  version          bigint NOT NULL,
  data             text NOT NULL,
  hash             {{bytes}} NOT NULL,
  created_by       text NOT NULL,
  created          {{time}} NOT NULL,
  modified         {{time}} NOT NULL,
  UNIQUE (service_item_id, version)
);
CREATE INDEX deployed_items_consumer ON deployed_items (consumer_team_id, id);

CREATE TABLE idempotency_keys (
  id          {{id}},
  actor       text NOT NULL,
  key         text NOT NULL,
  fingerprint {{bytes}} NOT NULL,
  status      bigint NOT NULL,
  location    text NOT NULL,
  body        {{bytes}} NOT NULL,
  created     {{time}} NOT NULL,
  UNIQUE (actor, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created);

CREATE TABLE audit (
  id         {{id}},
  at         {{time}} NOT NULL,
  actor      text NOT NULL,
  team_id    bigint,
  action     text NOT NULL,
  object     text NOT NULL,
  summary    text NOT NULL,
  address    text NOT NULL,
  request_id text NOT NULL,
  via        text NOT NULL
);
CREATE INDEX audit_team ON audit (team_id, id);

CREATE TABLE outbox (
  id         {{id}},
  event      text NOT NULL,
  subject_id bigint NOT NULL,
  team_id    bigint NOT NULL,
  created    {{time}} NOT NULL
);

{{#sqlite}}
-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- +goose StatementEnd
{{/sqlite}}
{{#postgres}}
-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
{{/postgres}}
