CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`workspace_id` integer,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	`message` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`delivered_at` integer,
	`outcome` text,
	`is_open` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alerts_kind" CHECK("kind" in ('destination.broken', 'destination.back', 'link.taken_down', 'workspace.link_limit', 'key.expires', 'pushes.overdue', 'test'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_key_unique` ON `alerts` (`key`);--> statement-breakpoint
CREATE INDEX `alerts_due` ON `alerts` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `alerts_message` ON `alerts` (`message`,`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `alerts_open` ON `alerts` (`kind`) WHERE is_open = 1;--> statement-breakpoint
CREATE INDEX `alerts_created` ON `alerts` (`created_at`) WHERE is_open = 0;--> statement-breakpoint
CREATE TABLE `destination_health` (
	`url` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`live` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`asked_at` integer,
	`state` text NOT NULL,
	`reason` text,
	`http_status` integer,
	`failing_since` integer,
	CONSTRAINT "destination_health_state" CHECK("state" in ('unknown', 'ok', 'failing', 'broken', 'unclear'))
);
--> statement-breakpoint
CREATE INDEX `destination_health_due` ON `destination_health` (`host`,`live`,`due_at`);--> statement-breakpoint
CREATE INDEX `destination_health_broken` ON `destination_health` (`url`) WHERE state = 'broken';--> statement-breakpoint
CREATE TABLE `health_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`free_at` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `health_hosts_due` ON `health_hosts` (`due_at`);--> statement-breakpoint
CREATE TABLE `job_positions` (
	`job` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scan_hours` (
	`workspace_id` integer NOT NULL,
	`asset_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`people` integer NOT NULL,
	`bots` integer NOT NULL,
	`late` integer NOT NULL,
	`folded` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`asset_id`, `hour`),
	FOREIGN KEY (`workspace_id`,`asset_id`) REFERENCES `offline_assets`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scan_hours_unfolded` ON `scan_hours` (`hour`) WHERE folded = 0;--> statement-breakpoint
ALTER TABLE `activity_groups` ADD `ended_url` text;--> statement-breakpoint
ALTER TABLE `activity_groups` ADD `ended_host` text;--> statement-breakpoint
ALTER TABLE `activity_groups` ADD `ends_links` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `click_hours` ADD `scans` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `click_hours` ADD `late` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `starts_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `ended_url` text;--> statement-breakpoint
ALTER TABLE `links` ADD `ended_host` text;--> statement-breakpoint
CREATE INDEX `links_destination` ON `links` (`destination_url`,`workspace_id`,`archived`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE `slugs` ADD `asset` text;--> statement-breakpoint
CREATE UNIQUE INDEX `slugs_asset` ON `slugs` (`asset`) WHERE asset is not null;--> statement-breakpoint
CREATE INDEX `api_keys_expires` ON `api_keys` (`expires_at`) WHERE revoked_at is null and expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `offline_assets_workspace_row` ON `offline_assets` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `workspaces_nearly_full` ON `workspaces` (`id`) WHERE link_limit > 0 and (active_links + archived_links) * 10 >= link_limit * 9;