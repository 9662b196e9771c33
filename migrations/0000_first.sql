CREATE TABLE `activity_group_items` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`activity_group_id` integer NOT NULL,
	`role` text NOT NULL,
	`channel` text,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`activity_group_id`) REFERENCES `activity_groups`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_group_items_role" CHECK("role" in ('primary'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_group_items_open` ON `activity_group_items` (`workspace_id`,`link_id`,`role`) WHERE ended_at is null;--> statement-breakpoint
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
	`search_text` text NOT NULL,
	`status` text NOT NULL,
	`status_before_archive` text,
	`default_utm_campaign` text,
	`starts_at` integer,
	`ends_at` integer,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_groups_type" CHECK("type" in ('campaign', 'always_on', 'project', 'event', 'content', 'other')),
	CONSTRAINT "activity_groups_status" CHECK("status" in ('draft', 'scheduled', 'active', 'completed', 'archived')),
	CONSTRAINT "activity_groups_archived" CHECK(("status" = 'archived') = ("archived_at" is not null) and ("status" = 'archived') = ("status_before_archive" is not null)),
	CONSTRAINT "activity_groups_dates" CHECK("starts_at" is null or "ends_at" is null or "starts_at" <= "ends_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `activity_groups_public_id_unique` ON `activity_groups` (`public_id`);--> statement-breakpoint
CREATE INDEX `activity_groups_workspace_name` ON `activity_groups` (`workspace_id`,`name_key`,`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `activity_groups_workspace_row` ON `activity_groups` (`workspace_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `activity_groups_workspace_slug` ON `activity_groups` (`workspace_id`,`slug`);--> statement-breakpoint
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
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_access" CHECK("access" in ('full', 'read'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_public_id_unique` ON `api_keys` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`);--> statement-breakpoint
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
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_operation_id_unique` ON `audit_log` (`operation_id`);--> statement-breakpoint
CREATE INDEX `audit_log_workspace` ON `audit_log` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `blocked_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
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
CREATE INDEX `idempotency_keys_started` ON `idempotency_keys` (`started_at`);--> statement-breakpoint
CREATE TABLE `link_tags` (
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	PRIMARY KEY(`link_id`, `tag_id`),
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`tag_id`) REFERENCES `tags`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_tags_tag` ON `link_tags` (`workspace_id`,`tag_id`,`link_id`);--> statement-breakpoint
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
	`title_key` text,
	`channel` text,
	`utm_source` text,
	`utm_medium` text,
	`utm_campaign` text,
	`utm_campaign_origin` text NOT NULL,
	`activity_group_id` integer,
	`archived_at` integer,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`activity_group_id`) REFERENCES `activity_groups`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "links_utm_campaign_origin" CHECK("utm_campaign_origin" in ('explicit', 'inherited'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_public_id_unique` ON `links` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_workspace_slug` ON `links` (`workspace_id`,`slug_key`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_workspace_created` ON `links` (`workspace_id`,`created_at`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_workspace_group` ON `links` (`workspace_id`,`activity_group_id`,`created_at`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `links_workspace_row` ON `links` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `offline_assets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "offline_assets_kind" CHECK("kind" in ('poster', 'flyer', 'packaging', 'signage', 'other')),
	CONSTRAINT "offline_assets_status" CHECK("status" in ('draft', 'live', 'retired'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `offline_assets_public_id_unique` ON `offline_assets` (`public_id`);--> statement-breakpoint
CREATE INDEX `offline_assets_link` ON `offline_assets` (`workspace_id`,`link_id`,`status`);--> statement-breakpoint
CREATE TABLE `slugs` (
	`key` text PRIMARY KEY NOT NULL,
	`workspace_id` integer NOT NULL,
	`link_id` integer,
	`rev` integer DEFAULT 1 NOT NULL,
	`pushed_rev` integer DEFAULT 0 NOT NULL,
	`push_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `slugs_workspace_link` ON `slugs` (`workspace_id`,`link_id`);--> statement-breakpoint
CREATE INDEX `slugs_push_at` ON `slugs` (`push_at`) WHERE push_at is not null;--> statement-breakpoint
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
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_public_id_unique` ON `tags` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_workspace_row` ON `tags` (`workspace_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_workspace_name` ON `tags` (`workspace_id`,`name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_workspace_slug` ON `tags` (`workspace_id`,`slug`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`link_limit` integer,
	`active_links` integer DEFAULT 0 NOT NULL,
	`archived_links` integer DEFAULT 0 NOT NULL,
	`tag_count` integer DEFAULT 0 NOT NULL,
	`suspended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "workspaces_link_limit" CHECK("link_limit" is null or "link_limit" >= 0),
	CONSTRAINT "workspaces_counts" CHECK("active_links" >= 0 and "archived_links" >= 0 and "tag_count" between 0 and 1000)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_public_id_unique` ON `workspaces` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_slug_unique` ON `workspaces` (`slug`);