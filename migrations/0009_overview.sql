CREATE TABLE `click_queue` (
	`id` integer PRIMARY KEY NOT NULL,
	`pack` text NOT NULL,
	`visits` integer NOT NULL,
	`bytes` integer NOT NULL,
	`counts` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_days` (
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`visits` integer NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `link_days_most` ON `link_days` (`day`,`workspace_id`,`visits`,`link_id`);--> statement-breakpoint
CREATE TABLE `workspace_days` (
	`workspace_id` integer NOT NULL,
	`day` integer NOT NULL,
	`dimension` text NOT NULL,
	`value` text NOT NULL,
	`people` integer NOT NULL,
	`folded` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`workspace_id`, `day`, `dimension`, `value`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "workspace_days_dimension" CHECK("dimension" in ('country', 'referrer', 'device'))
);
--> statement-breakpoint
CREATE INDEX `workspace_days_unfolded` ON `workspace_days` (`day`) WHERE folded = 0;--> statement-breakpoint
CREATE TABLE `workspace_hours` (
	`workspace_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`people` integer NOT NULL,
	`bots` integer NOT NULL,
	`scans` integer NOT NULL,
	`late` integer NOT NULL,
	`folded` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`workspace_id`, `hour`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspace_hours_unfolded` ON `workspace_hours` (`hour`) WHERE folded = 0;--> statement-breakpoint
ALTER TABLE `activity_groups` ADD `follows_dates` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `activity_groups_starting` ON `activity_groups` (`starts_at`) WHERE follows_dates = 1 and status in ('draft', 'scheduled') and starts_at is not null;--> statement-breakpoint
CREATE INDEX `activity_groups_ending` ON `activity_groups` (`ends_at`) WHERE follows_dates = 1 and status in ('draft', 'scheduled', 'active') and ends_at is not null;--> statement-breakpoint
CREATE INDEX `activity_groups_overdue` ON `activity_groups` (`workspace_id`,`ends_at`) WHERE status in ('draft', 'scheduled', 'active') and ends_at is not null;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `batch` text;--> statement-breakpoint
CREATE INDEX `audit_log_batch` ON `audit_log` (`batch`,`id`) WHERE batch is not null;--> statement-breakpoint
ALTER TABLE `imports` ADD `activity_group_id` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `tag_ids` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `undone_at` integer;--> statement-breakpoint
CREATE INDEX `imports_running` ON `imports` (`started_at`) WHERE started_at is not null and finished_at is null;--> statement-breakpoint
ALTER TABLE `links` ADD `clicks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `scans` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `last_visit_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `visits` integer GENERATED ALWAYS AS (clicks + scans) VIRTUAL;--> statement-breakpoint
CREATE INDEX `links_list_visits` ON `links` (`workspace_id`,`archived`,`visits`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_group_visits` ON `links` (`workspace_id`,`activity_group_id`,`visits`) WHERE deleted_at is null and activity_group_id is not null and visits > 0;--> statement-breakpoint
CREATE INDEX `links_taken_down` ON `links` (`workspace_id`,`public_id`) WHERE deleted_at is null and taken_down_at is not null;--> statement-breakpoint
ALTER TABLE `members` ADD `last_seen_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `public_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `country` text;--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_public_id` ON `sessions` (`public_id`) WHERE public_id is not null;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `time_zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
CREATE INDEX `offline_assets_live` ON `offline_assets` (`workspace_id`,`live_at`) WHERE status = 'live';--> statement-breakpoint
CREATE INDEX `sign_in_links_email` ON `sign_in_links` (`email`,`expires_at`);