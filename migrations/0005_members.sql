CREATE TABLE `import_rows` (
	`workspace_id` integer NOT NULL,
	`import_id` integer NOT NULL,
	`number` integer NOT NULL,
	`input` text,
	`errors` text,
	`link` text,
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
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_public_id_unique` ON `imports` (`public_id`);--> statement-breakpoint
CREATE INDEX `imports_created` ON `imports` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `imports_workspace_row` ON `imports` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_role" CHECK("role" in ('owner', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_public_id_unique` ON `members` (`public_id`);--> statement-breakpoint
CREATE INDEX `members_email` ON `members` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `members_workspace_email` ON `members` (`workspace_id`,`email`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_email` ON `sessions` (`email`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `offline_assets` ADD `place` text;--> statement-breakpoint
ALTER TABLE `offline_assets` ADD `quantity` integer;--> statement-breakpoint
ALTER TABLE `offline_assets` ADD `live_at` integer;--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`workspace_id`,`subject`,`id`);