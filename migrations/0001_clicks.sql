CREATE TABLE `click_days` (
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`dimension` text NOT NULL,
	`value` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`link_id`, `day`, `dimension`, `value`),
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "click_days_dimension" CHECK("dimension" in ('country', 'referrer', 'device'))
);
--> statement-breakpoint
CREATE TABLE `click_hours` (
	`workspace_id` integer NOT NULL,
	`link_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`people` integer NOT NULL,
	`bots` integer NOT NULL,
	PRIMARY KEY(`link_id`, `hour`),
	FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `click_packs` (
	`id` text PRIMARY KEY NOT NULL,
	`written_at` integer NOT NULL
);
