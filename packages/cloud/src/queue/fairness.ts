import type { Sql } from '../database/database.ts'

/**
 * Start-time fair queueing. Work has a tag on a virtual clock, and lower tags go first. The tag of an account's work is
 * one cost, divided by the account's weight, after the account's last one, but never before the tag of what was started
 * last: who asks for much waits for itself, and who asks for little does not wait for others.
 */

/** Steps of a priority for each unit of cost. */
const STEPS = 10
const MAX_PRIORITY = 2 ** 31 - 1

/** The priority of a tag in the queue, which takes whole numbers of 32 bits. */
export const priorityOf = (tag: number): number => Math.max(-MAX_PRIORITY, -Math.round(tag * STEPS))

/** What a video costs, in seconds of video at 1080p. */
export const costOf = (seconds: number, pixels: number): number =>
  Math.max(0.1, seconds) * Math.max(0.25, pixels / (1920 * 1080))

/** Gives an account's next work its tag, and moves the account's clock to it. */
export const nextTag = async (sql: Sql, accountId: string, cost: number): Promise<number> => {
  const [row] = await sql.rows<{ last_tag: number }>(
    `UPDATE vid.accounts SET last_tag = $2 / weight + GREATEST(last_tag,
       (SELECT (value #>> '{}')::float8 FROM vid.settings WHERE key = 'virtual_time'))
     WHERE id = $1 RETURNING last_tag`,
    [accountId, cost],
  )
  return row?.last_tag ?? 0
}

/**
 * Gives each part of a render a tag, the first from the render's own tag on, and moves the account's clock behind them:
 * a long render of one account lets others go between its parts.
 */
export const partTags = async (
  sql: Sql,
  accountId: string,
  start: number,
  costs: readonly number[],
): Promise<number[]> => {
  const [row] = await sql.rows<{ weight: number }>('SELECT weight FROM vid.accounts WHERE id = $1', [
    accountId,
  ])
  const weight = row?.weight ?? 1
  let tag = start
  const tags = costs.map((cost) => {
    const own = tag
    tag += cost / weight
    return own
  })
  await sql.run('UPDATE vid.accounts SET last_tag = GREATEST(last_tag, $2) WHERE id = $1', [accountId, tag])
  return tags
}

/** Moves the virtual clock to what is started now. */
export const advanceClock = (sql: Sql, tag: number) =>
  sql.run(
    `UPDATE vid.settings SET value = to_jsonb($1::float8)
     WHERE key = 'virtual_time' AND (value #>> '{}')::float8 < $1::float8`,
    [tag],
  )

/** Beyond this, priorities would lose their order. */
const REWIND_FROM = MAX_PRIORITY / STEPS / 10

/** Turns all clocks back to 0 while nothing waits or runs, so that tags stay within the bounds of priorities. */
export const rewindClocks = async (sql: Sql): Promise<void> => {
  const { rowCount } = await sql.run(
    `UPDATE vid.settings SET value = '0' WHERE key = 'virtual_time' AND (value #>> '{}')::float8 > $1::float8
     AND NOT EXISTS (SELECT 1 FROM vid.renders WHERE status IN ('queued', 'rendering'))`,
    [REWIND_FROM],
  )
  if (rowCount > 0) await sql.run('UPDATE vid.accounts SET last_tag = 0')
}
