import { literal } from "./literal";

export interface AnswerCounts {
  answers: number;
  failed: number;
  slow: number;
}

export const addAnswers = (minute: number, { answers, failed, slow }: AnswerCounts) =>
  literal(
    `insert into answer_counts (minute, answers, failed, slow) values (?1, ?2, ?3, ?4) on conflict (minute) do update
      set answers = answers + excluded.answers, failed = failed + excluded.failed, slow = slow + excluded.slow`,
    ...[minute, answers, failed, slow],
  );

export const sumAnswers = (from: number) =>
  literal<AnswerCounts>(
    `select coalesce(sum(answers), 0) as answers, coalesce(sum(failed), 0) as failed, coalesce(sum(slow), 0) as slow
      from answer_counts where minute >= ?1`,
    from,
  );

export const deleteAnswersBefore = (minute: number) =>
  literal("delete from answer_counts where minute < ?1", minute);
