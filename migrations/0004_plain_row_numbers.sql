CREATE TABLE `__new_activity_group_items` (
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
INSERT INTO `__new_activity_group_items`("id", "workspace_id", "link_id", "activity_group_id", "role", "channel", "started_at", "ended_at") SELECT "id", "workspace_id", "link_id", "activity_group_id", "role", "channel", "started_at", "ended_at" FROM `activity_group_items`;--> statement-breakpoint
DROP TABLE `activity_group_items`;--> statement-breakpoint
ALTER TABLE `__new_activity_group_items` RENAME TO `activity_group_items`;--> statement-breakpoint
CREATE UNIQUE INDEX `activity_group_items_open` ON `activity_group_items` (`workspace_id`,`link_id`,`role`) WHERE ended_at is null;--> statement-breakpoint
CREATE TABLE `__new_audit_log` (
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
INSERT INTO `__new_audit_log`("id", "operation_id", "workspace_id", "actor", "action", "subject", "before", "change", "at") SELECT "id", "operation_id", "workspace_id", "actor", "action", "subject", "before", "change", "at" FROM `audit_log`;--> statement-breakpoint
DROP TABLE `audit_log`;--> statement-breakpoint
ALTER TABLE `__new_audit_log` RENAME TO `audit_log`;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_operation_id_unique` ON `audit_log` (`operation_id`);--> statement-breakpoint
CREATE INDEX `audit_log_workspace` ON `audit_log` (`workspace_id`,`id`);