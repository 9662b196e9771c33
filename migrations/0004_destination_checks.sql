ALTER TABLE `links` ADD `verdict` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `check_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `taken_down_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `taken_down_by` text;--> statement-breakpoint
CREATE INDEX `links_check` ON `links` (`check_at`) WHERE check_at is not null;