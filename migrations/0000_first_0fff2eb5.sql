CREATE TABLE `active_link_days` (
	`workspace_id` integer NOT NULL,
	`day` integer NOT NULL,
	`active_links` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `day`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "active_link_days_count" CHECK("active_links" >= 0)
);
--> statement-breakpoint
CREATE INDEX `active_link_days_day` ON `active_link_days` (`day`);
--> statement-breakpoint
CREATE TABLE `activity_group_items` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`activity_group_id` integer NOT NULL,
	`role` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`visits_before` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`activity_group_id`) REFERENCES `activity_groups`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_group_items_open` ON `activity_group_items` (`workspace_id`,`link_id`,`role`) WHERE ended_at is null;
--> statement-breakpoint
CREATE INDEX `activity_group_items_brought` ON `activity_group_items` (`workspace_id`,`activity_group_id`,`visits_before`) WHERE ended_at is null and visits_before > 0;
--> statement-breakpoint
CREATE INDEX `activity_group_items_links` ON `activity_group_items` (`workspace_id`,`link_id`);
--> statement-breakpoint
CREATE TABLE `activity_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`slug` text NOT NULL,
	`type` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`note` text,
	`search_text` text NOT NULL,
	`status` text NOT NULL,
	`status_before_archive` text,
	`default_utm_campaign` text,
	`starts_at` integer,
	`ends_at` integer,
	`starts_on` text,
	`ends_on` text,
	`ended_url` text,
	`ended_host` text,
	`ends_links` integer DEFAULT 0 NOT NULL,
	`follows_dates` integer DEFAULT 0 NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	`scans` integer DEFAULT 0 NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_groups_archived" CHECK(("status" = 'archived') = ("archived_at" is not null) and ("status" = 'archived') = ("status_before_archive" is not null)),
	CONSTRAINT "activity_groups_dates" CHECK("starts_at" is null or "ends_at" is null or "starts_at" <= "ends_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_groups_public_id_unique` ON `activity_groups` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_groups_workspace_row` ON `activity_groups` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_groups_workspace_slug` ON `activity_groups` (`workspace_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `activity_groups_workspace_name` ON `activity_groups` (`workspace_id`,`name_key`,`public_id`);
--> statement-breakpoint
CREATE INDEX `activity_groups_starting` ON `activity_groups` (`starts_at`) WHERE follows_dates = 1 and status in ('draft', 'scheduled') and starts_at is not null;
--> statement-breakpoint
CREATE INDEX `activity_groups_ending` ON `activity_groups` (`ends_at`) WHERE follows_dates = 1 and status in ('draft', 'scheduled', 'active') and ends_at is not null;
--> statement-breakpoint
CREATE INDEX `activity_groups_dated` ON `activity_groups` (`workspace_id`,`name_key`) WHERE starts_on is not null or ends_on is not null;
--> statement-breakpoint
CREATE INDEX `activity_groups_overdue` ON `activity_groups` (`workspace_id`,`ends_at`) WHERE status in ('draft', 'scheduled', 'active') and ends_at is not null;
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`workspace_id` integer,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	`message` text,
	`due_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_key_unique` ON `alerts` (`key`);
--> statement-breakpoint
CREATE INDEX `alerts_due` ON `alerts` (`due_at`) WHERE due_at is not null;
--> statement-breakpoint
CREATE INDEX `alerts_created` ON `alerts` (`created_at`);
--> statement-breakpoint
CREATE TABLE `answer_counts` (
	`minute` integer PRIMARY KEY NOT NULL,
	`answers` integer NOT NULL,
	`failed` integer NOT NULL,
	`slow` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`hash` text NOT NULL,
	`last4` text NOT NULL,
	`name` text NOT NULL,
	`access` text NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_public_id_unique` ON `api_keys` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);
--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`);
--> statement-breakpoint
CREATE INDEX `api_keys_expires` ON `api_keys` (`expires_at`) WHERE revoked_at is null and expires_at is not null;
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY NOT NULL,
	`operation_id` text NOT NULL,
	`workspace_id` integer,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`before` text,
	`change` text,
	`at` integer NOT NULL,
	`batch` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_operation_id_unique` ON `audit_log` (`operation_id`);
--> statement-breakpoint
CREATE INDEX `audit_log_heads` ON `audit_log` (`workspace_id`,`at`) WHERE batch is null or batch = operation_id;
--> statement-breakpoint
CREATE INDEX `audit_log_workspace` ON `audit_log` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_batch` ON `audit_log` (`batch`,`id`) WHERE batch is not null;
--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`workspace_id`,`subject`,`id`);
--> statement-breakpoint
CREATE TABLE `blocked_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `code_brandings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`colour` text NOT NULL,
	`call` text,
	`created_at` integer NOT NULL,
	`page_logo` integer DEFAULT 0 NOT NULL,
	`logo` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `code_brandings_public_id_unique` ON `code_brandings` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `code_brandings_name` ON `code_brandings` (`workspace_id`,`name_key`);
--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`cron` text PRIMARY KEY NOT NULL,
	`succeeded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `destination_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`workspace_id` integer,
	`due_at` integer NOT NULL,
	`free_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `destination_domains_due` ON `destination_domains` (`workspace_id`,`due_at`);
--> statement-breakpoint
CREATE TABLE `destination_health` (
	`url` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`domain` text NOT NULL,
	`due_at` integer NOT NULL,
	`asked_at` integer,
	`state` text NOT NULL,
	`reason` text,
	`http_status` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer
);
--> statement-breakpoint
CREATE INDEX `destination_health_due` ON `destination_health` (`domain`,`due_at`);
--> statement-breakpoint
CREATE INDEX `destination_health_broken` ON `destination_health` (`host`,`url`) WHERE state = 'broken';
--> statement-breakpoint
CREATE TABLE `domains` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`host` text NOT NULL,
	`state` text NOT NULL,
	`token` text NOT NULL,
	`is_primary` integer DEFAULT 0 NOT NULL,
	`root_url` text,
	`root_host` text,
	`not_found_url` text,
	`not_found_host` text,
	`failing_since` integer,
	`checked_at` integer,
	`removed_at` integer,
	`released_at` integer,
	`created_at` integer NOT NULL,
	`apple_app_site_association` text,
	`assetlinks` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "domains_primary_is_served" CHECK("is_primary" = 0 or ("state" <> 'pending' and "removed_at" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_public_id_unique` ON `domains` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_workspace_host` ON `domains` (`workspace_id`,`host`);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_proved_host` ON `domains` (`host`) WHERE state <> 'pending';
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_primary` ON `domains` (`workspace_id`) WHERE is_primary = 1;
--> statement-breakpoint
CREATE INDEX `domains_checked` ON `domains` (`checked_at`) WHERE state <> 'pending' and removed_at is null;
--> statement-breakpoint
CREATE INDEX `domains_failing` ON `domains` (`failing_since`) WHERE failing_since is not null and removed_at is null;
--> statement-breakpoint
CREATE INDEX `domains_released` ON `domains` (`released_at`) WHERE released_at is not null;
--> statement-breakpoint
CREATE TABLE `doubts` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`cursor` text,
	`since` integer NOT NULL,
	PRIMARY KEY(`kind`, `name`)
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`api_key_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`operation_id` text NOT NULL,
	`status` integer,
	`body` text,
	`etag` text,
	`started_at` integer NOT NULL,
	PRIMARY KEY(`api_key_id`, `key`),
	FOREIGN KEY (`api_key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_started` ON `idempotency_keys` (`started_at`);
--> statement-breakpoint
CREATE TABLE `import_rows` (
	`workspace_id` integer NOT NULL,
	`import_id` integer NOT NULL,
	`number` integer NOT NULL,
	`input` text,
	`errors` text,
	`link` text,
	`updates` text,
	PRIMARY KEY(`import_id`, `number`),
	FOREIGN KEY (`workspace_id`,`import_id`) REFERENCES `imports`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`row_count` integer NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`digest` text NOT NULL,
	`about` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`undone_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_public_id_unique` ON `imports` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_workspace_row` ON `imports` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE INDEX `imports_created` ON `imports` (`created_at`);
--> statement-breakpoint
CREATE INDEX `imports_running` ON `imports` (`started_at`) WHERE started_at is not null and finished_at is null;
--> statement-breakpoint
CREATE TABLE `link_rules` (
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`position` integer NOT NULL,
	`destination_url` text NOT NULL,
	`destination_host` text NOT NULL,
	`host_check` text NOT NULL,
	`check_at` integer,
	PRIMARY KEY(`link_id`, `position`),
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_rules_destination` ON `link_rules` (`destination_url`);
--> statement-breakpoint
CREATE INDEX `link_rules_check` ON `link_rules` (`check_at`) WHERE check_at is not null;
--> statement-breakpoint
CREATE TABLE `link_tags` (
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`link_archived` integer DEFAULT 0 NOT NULL,
	`link_public_id` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`link_id`, `tag_id`),
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`tag_id`) REFERENCES `tags`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_tags_list` ON `link_tags` (`workspace_id`,`tag_id`,`link_archived`,`link_public_id`);
--> statement-breakpoint
CREATE TABLE `link_totals` (
	`workspace_id` integer NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`active` integer NOT NULL,
	`archived` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `kind`, `key`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_totals_counts" CHECK("active" >= 0 and "archived" >= 0)
);
--> statement-breakpoint
CREATE INDEX `link_totals_empty` ON `link_totals` (`kind`) WHERE active = 0 and archived = 0;
--> statement-breakpoint
CREATE TABLE `links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`slug` text NOT NULL,
	`slug_key` text NOT NULL,
	`destination_url` text NOT NULL,
	`destination_key` text NOT NULL,
	`destination_host` text NOT NULL,
	`title` text,
	`channel` text,
	`external_id` text,
	`utm_source` text,
	`utm_medium` text,
	`utm_term` text,
	`utm_content` text,
	`title_key` text,
	`plain_text` text,
	`utm_campaign` text,
	`utm_campaign_origin` text NOT NULL,
	`activity_group_id` integer,
	`starts_at` integer,
	`ends_at` integer,
	`starts_on` text,
	`ends_on` text,
	`ended_url` text,
	`ended_host` text,
	`rules` text,
	`note` text,
	`preview_title` text,
	`preview_text` text,
	`preview_image_url` text,
	`preview_image_host` text,
	`archived_at` integer,
	`deleted_at` integer,
	`host_check` text DEFAULT 'unknown' NOT NULL,
	`check_at` integer,
	`taken_down_at` integer,
	`taken_down_by` text,
	`clicks` integer DEFAULT 0 NOT NULL,
	`scans` integer DEFAULT 0 NOT NULL,
	`clicks_before` integer,
	`last_visit_at` integer,
	`last_counted_day` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`updated_at` integer NOT NULL,
	`domain` text GENERATED ALWAYS AS (nullif(substr(slug_key, 1, instr(slug_key, '/') - 1), '')) VIRTUAL,
	`folded_slug` text GENERATED ALWAYS AS (substr(slug_key, instr(slug_key, '/') + 1)) VIRTUAL,
	`visits` integer GENERATED ALWAYS AS (clicks + scans) VIRTUAL,
	`archived` integer GENERATED ALWAYS AS (archived_at is not null) VIRTUAL,
	`untitled` integer GENERATED ALWAYS AS (title_key is null) VIRTUAL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`activity_group_id`) REFERENCES `activity_groups`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_public_id_unique` ON `links` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_workspace_row` ON `links` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_workspace_external_id` ON `links` (`workspace_id`,`external_id`) WHERE deleted_at is null and external_id is not null;
--> statement-breakpoint
CREATE INDEX `links_list_external_id` ON `links` (`workspace_id`,`archived`,`external_id`,`public_id`) WHERE deleted_at is null and external_id is not null;
--> statement-breakpoint
CREATE INDEX `links_list_all` ON `links` (`workspace_id`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_list_created` ON `links` (`workspace_id`,`archived`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_list_updated` ON `links` (`workspace_id`,`archived`,`updated_at`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_list_slug` ON `links` (`workspace_id`,`archived`,`folded_slug`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_list_title` ON `links` (`workspace_id`,`archived`,`untitled`,`title_key`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_list_visits` ON `links` (`workspace_id`,`archived`,`visits`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_counted` ON `links` (`workspace_id`,`last_counted_day`) WHERE deleted_at is null and last_counted_day is not null;
--> statement-breakpoint
CREATE INDEX `links_group_counted` ON `links` (`workspace_id`,`activity_group_id`,`last_counted_day`) WHERE deleted_at is null and activity_group_id is not null and last_counted_day is not null;
--> statement-breakpoint
CREATE INDEX `links_taken_down` ON `links` (`workspace_id`,`public_id`) WHERE deleted_at is null and taken_down_at is not null;
--> statement-breakpoint
CREATE INDEX `links_list_group` ON `links` (`workspace_id`,`activity_group_id`,`archived`,`public_id`) WHERE deleted_at is null and activity_group_id is not null;
--> statement-breakpoint
CREATE INDEX `links_list_utm_source` ON `links` (`workspace_id`,`utm_source`,`archived`,`public_id`) WHERE deleted_at is null and utm_source is not null;
--> statement-breakpoint
CREATE INDEX `links_list_utm_medium` ON `links` (`workspace_id`,`utm_medium`,`archived`,`public_id`) WHERE deleted_at is null and utm_medium is not null;
--> statement-breakpoint
CREATE INDEX `links_list_utm_campaign` ON `links` (`workspace_id`,`utm_campaign`,`archived`,`public_id`) WHERE deleted_at is null and utm_campaign is not null;
--> statement-breakpoint
CREATE INDEX `links_list_utm_term` ON `links` (`workspace_id`,`utm_term`,`archived`,`public_id`) WHERE deleted_at is null and utm_term is not null;
--> statement-breakpoint
CREATE INDEX `links_list_utm_content` ON `links` (`workspace_id`,`utm_content`,`archived`,`public_id`) WHERE deleted_at is null and utm_content is not null;
--> statement-breakpoint
CREATE INDEX `links_list_channel` ON `links` (`workspace_id`,`channel`,`archived`,`public_id`) WHERE deleted_at is null and channel is not null;
--> statement-breakpoint
CREATE INDEX `links_list_domain` ON `links` (`workspace_id`,`domain`,`archived`,`public_id`) WHERE deleted_at is null and domain is not null;
--> statement-breakpoint
CREATE INDEX `links_destination` ON `links` (`destination_url`,`workspace_id`,`archived`,`public_id`) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX `links_check` ON `links` (`check_at`) WHERE check_at is not null;
--> statement-breakpoint
CREATE INDEX `links_dated` ON `links` (`workspace_id`,`starts_on`,`ends_on`) WHERE starts_on is not null or ends_on is not null;
--> statement-breakpoint
CREATE INDEX `links_deleted` ON `links` (`deleted_at`) WHERE deleted_at is not null;
--> statement-breakpoint
CREATE TABLE `members` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	`report_token` text,
	`report_due_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_public_id_unique` ON `members` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_report_token_unique` ON `members` (`report_token`);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_workspace_email` ON `members` (`workspace_id`,`email`);
--> statement-breakpoint
CREATE INDEX `members_email` ON `members` (`email`);
--> statement-breakpoint
CREATE INDEX `members_report_due` ON `members` (`report_due_at`) WHERE report_token is not null;
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer,
	`receiver_id` integer NOT NULL,
	`event` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text,
	`data` text,
	`size` integer DEFAULT 0 NOT NULL,
	`amount` integer,
	`created_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`tried_at` integer,
	`delivered_at` integer,
	`outcome` text,
	`answer` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`receiver_id`) REFERENCES `receivers`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_event` ON `messages` (`receiver_id`,`event`);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_sum` ON `messages` (`receiver_id`,`kind`) WHERE amount is not null and tries = 0 and due_at is not null;
--> statement-breakpoint
CREATE INDEX `messages_waiting` ON `messages` (`receiver_id`,`subject`,`id`,`size`) WHERE due_at is not null;
--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`receiver_id`,`due_at`) WHERE due_at is not null;
--> statement-breakpoint
CREATE INDEX `messages_created` ON `messages` (`created_at`) WHERE workspace_id is not null;
--> statement-breakpoint
CREATE TABLE `offline_assets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`place` text,
	`quantity` integer,
	`live_at` integer,
	`retired_at` integer,
	`scans` integer DEFAULT 0 NOT NULL,
	`after_end` integer DEFAULT 0 NOT NULL,
	`last_after_end` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `offline_assets_public_id_unique` ON `offline_assets` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `offline_assets_workspace_row` ON `offline_assets` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE INDEX `offline_assets_link` ON `offline_assets` (`workspace_id`,`link_id`,`status`);
--> statement-breakpoint
CREATE INDEX `offline_assets_live` ON `offline_assets` (`workspace_id`,`live_at`) WHERE status = 'live';
--> statement-breakpoint
CREATE INDEX `offline_assets_after_end` ON `offline_assets` (`workspace_id`,`last_after_end`) WHERE last_after_end is not null;
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`credential` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`algorithm` integer NOT NULL,
	`counter` integer NOT NULL,
	`rp_id` text NOT NULL,
	`workspaces` text,
	`closed` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_public_id_unique` ON `passkeys` (`public_id`);
--> statement-breakpoint
CREATE INDEX `passkeys_email` ON `passkeys` (`email`);
--> statement-breakpoint
CREATE TABLE `receivers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text,
	`url` text NOT NULL,
	`host` text NOT NULL,
	`kinds` text NOT NULL,
	`secret` text NOT NULL,
	`is_on` integer DEFAULT 1 NOT NULL,
	`switched_off_at` integer,
	`switched_off_by` text,
	`failing_since` integer,
	`visits_from` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `receivers_public_id_unique` ON `receivers` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `receivers_own` ON `receivers` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE INDEX `receivers_counting` ON `receivers` (`visits_from`) WHERE visits_from is not null;
--> statement-breakpoint
CREATE TABLE `reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`token` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`last` text,
	`first_day` text,
	`last_day` text,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_public_id_unique` ON `reports` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_token_unique` ON `reports` (`token`);
--> statement-breakpoint
CREATE INDEX `reports_subject` ON `reports` (`workspace_id`,`kind`,`subject`,`id`);
--> statement-breakpoint
CREATE INDEX `reports_end` ON `reports` (`ends_at`);
--> statement-breakpoint
CREATE TABLE `saved_channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`utm_source` text,
	`utm_medium` text,
	`channel` text,
	`tag_ids` text NOT NULL,
	`slug_pattern` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_channels_public_id_unique` ON `saved_channels` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_channels_name` ON `saved_channels` (`workspace_id`,`name_key`);
--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_public_id_unique` ON `saved_views` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`workspace_id`,`name_key`);
--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sent_mails` (
	`id` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sent_mails_sent` ON `sent_mails` (`sent_at`);
--> statement-breakpoint
CREATE INDEX `sent_mails_email` ON `sent_mails` (`email`,`sent_at`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`public_id` text NOT NULL,
	`last_used_at` integer NOT NULL,
	`device` text,
	`country` text,
	`workspaces` text,
	`closed` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_public_id_unique` ON `sessions` (`public_id`);
--> statement-breakpoint
CREATE INDEX `sessions_email` ON `sessions` (`email`);
--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL,
	`workspace` text
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_expires` ON `sign_in_links` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `sign_in_links_email` ON `sign_in_links` (`email`,`expires_at`);
--> statement-breakpoint
CREATE INDEX `sign_in_links_workspace` ON `sign_in_links` (`workspace`,`email`) WHERE workspace is not null;
--> statement-breakpoint
CREATE TABLE `slugs` (
	`key` text PRIMARY KEY NOT NULL,
	`workspace_id` integer NOT NULL,
	`link_id` integer,
	`asset` text,
	`rev` integer DEFAULT 1 NOT NULL,
	`push_at` integer,
	`doubt_until` integer,
	`taken_down_at` integer,
	`created_at` integer NOT NULL,
	`domain` text GENERATED ALWAYS AS (substr(key, 1, instr(key, '/') - 1)) VIRTUAL,
	`slug` text GENERATED ALWAYS AS (substr(key, instr(key, '/') + 1)) VIRTUAL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `slugs_workspace_slug` ON `slugs` (`workspace_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `slugs_domain` ON `slugs` (`domain`,`key`) WHERE domain <> '';
--> statement-breakpoint
CREATE INDEX `slugs_workspace_link` ON `slugs` (`workspace_id`,`link_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `slugs_asset` ON `slugs` (`asset`) WHERE asset is not null;
--> statement-breakpoint
CREATE INDEX `slugs_push_at` ON `slugs` (`push_at`) WHERE push_at is not null;
--> statement-breakpoint
CREATE INDEX `slugs_doubt` ON `slugs` (`workspace_id`,`doubt_until`,`key`) WHERE doubt_until is not null;
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`slug` text NOT NULL,
	`colour` text,
	`description` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`replaced_by` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_public_id_unique` ON `tags` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_workspace_row` ON `tags` (`workspace_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_workspace_name` ON `tags` (`workspace_id`,`name_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_workspace_slug` ON `tags` (`workspace_id`,`slug`);
--> statement-breakpoint
CREATE INDEX `tags_replaced` ON `tags` (`replaced_by`) WHERE replaced_by is not null;
--> statement-breakpoint
CREATE TABLE `unknown_addresses` (
	`workspace_id` integer NOT NULL,
	`domain` text NOT NULL,
	`slug` text NOT NULL,
	`day` integer NOT NULL,
	`visits` integer NOT NULL,
	PRIMARY KEY(`domain`, `day`, `slug`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `unknown_addresses_day` ON `unknown_addresses` (`day`,`workspace_id`);
--> statement-breakpoint
CREATE TABLE `untold_visits` (
	`workspace_id` integer NOT NULL,
	`receiver_id` integer NOT NULL,
	`link` text NOT NULL,
	`clicks` integer NOT NULL,
	`scans` integer NOT NULL,
	PRIMARY KEY(`receiver_id`, `link`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`receiver_id`) REFERENCES `receivers`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_challenges_expires` ON `used_challenges` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `visit_days` (
	`workspace_id` integer NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` integer NOT NULL,
	`day` integer NOT NULL,
	`visits` integer NOT NULL,
	`origins` text NOT NULL,
	PRIMARY KEY(`owner_kind`, `owner_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `visit_days_most` ON `visit_days` (`day`,`workspace_id`,`owner_kind`,`visits`,`owner_id`);
--> statement-breakpoint
CREATE TABLE `visit_hours` (
	`workspace_id` integer NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`clicks` integer NOT NULL,
	`scans` integer NOT NULL,
	`bots` integer NOT NULL,
	`after_end` integer NOT NULL,
	PRIMARY KEY(`owner_kind`, `owner_id`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `visit_queue` (
	`batch` text PRIMARY KEY NOT NULL,
	`counts` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `visit_runs` (
	`run` integer PRIMARY KEY NOT NULL,
	`batches` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`link_limit` integer,
	`active_links` integer DEFAULT 0 NOT NULL,
	`archived_links` integer DEFAULT 0 NOT NULL,
	`tag_count` integer DEFAULT 0 NOT NULL,
	`slug_claims` integer DEFAULT 0 NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`earlier_zones` text,
	`clicks` integer DEFAULT 0 NOT NULL,
	`scans` integer DEFAULT 0 NOT NULL,
	`scans_name_asset` integer DEFAULT 0 NOT NULL,
	`shares_reports` integer DEFAULT 1 NOT NULL,
	`shows_name` integer DEFAULT 0 NOT NULL,
	`colour` text,
	`own_networks` text,
	`conventions` text,
	`suspended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`page_texts` text,
	`button_label` text,
	`button_url` text,
	`button_host` text,
	`logo` text,
	CONSTRAINT "workspaces_link_limit" CHECK("link_limit" is null or "link_limit" >= 0),
	CONSTRAINT "workspaces_colour" CHECK("colour" glob '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
	CONSTRAINT "workspaces_counts" CHECK("active_links" >= 0 and "archived_links" >= 0 and "tag_count" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_public_id_unique` ON `workspaces` (`public_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_slug_unique` ON `workspaces` (`slug`);
--> statement-breakpoint
CREATE INDEX `workspaces_nearly_full` ON `workspaces` (`id`) WHERE link_limit > 0 and (active_links + archived_links) * 10 >= link_limit * 9;
--> statement-breakpoint
CREATE VIRTUAL TABLE `link_search` USING fts5(slug, title, destination, plain, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
