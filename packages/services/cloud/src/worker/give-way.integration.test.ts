import { expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { addAccount, endlessPage, openWork, page, until } from '../fixtures/work.ts'

type Work = Awaited<ReturnType<typeof openWork>>

const isRunning =
  ({ row }: Work, ...ids: readonly string[]) =>
  async () => {
    const rows = await Promise.all(ids.map(row))
    return rows.every(({ frames_rendered: frames }) => frames > 0) || undefined
  }

/** As if all that runs had run for so many seconds more. */
const pass = ({ parts }: Work, seconds: number) =>
  parts.database.run('UPDATE vid.worker_jobs SET taken_at = taken_at - make_interval(secs => $1)', [seconds])

longTest(
  'an account with all slots gives one back to another that waits, and its render goes on afterwards',
  async () => {
    const server = await openWork({ 'index.html': page(40) })
    const { parts, submit, work, end, row, lines } = server
    const greedy = await addAccount(parts.database)
    const ids = [await submit({}, greedy), await submit({}, greedy)]
    await work({ slots: 2, spreadSegments: 100_000 })
    await until(isRunning(server, ...ids))
    const other = await submit({ variables: { hue: 40 } }, await addAccount(parts.database))
    await pass(server, 30)
    await until(async () => (await row(other)).status === 'rendering' || undefined)
    const [first, second] = await Promise.all(ids.map(row))
    // The newer one gave way, and has not failed by it.
    expect([first?.status, second?.status]).toEqual(['rendering', 'rendering'])
    expect(lines.map(({ message }) => message)).toContain('a job yields to another account')
    for (const id of [...ids, other]) expect(await end(id)).toMatchObject({ status: 'completed' })
    const yields = await parts.database.rows('SELECT yields FROM vid.renders ORDER BY sequence')
    expect(yields).toEqual([{ yields: 0 }, { yields: 1 }, { yields: 0 }])
  },
  600_000,
)

test.each([
  ['all its jobs', 'max_render_seconds', 'VID_CLOUD_RENDER_COST', /more than 100 worker seconds/],
  ['its frames', 'max_frame_seconds', 'VID_CLOUD_FRAME_COST', /frames took \d+ worker seconds/],
])(
  'a render ends with a code when %s take longer than its account allows',
  async (_, limit, code, message) => {
    const server = await openWork({ 'index.html': endlessPage })
    const { parts, submit, work, end } = server
    const account = await addAccount(parts.database)
    await parts.database.run('UPDATE vid.accounts SET max_render_seconds = NULL, max_frame_seconds = NULL')
    await parts.database.run(`UPDATE vid.accounts SET ${limit} = 100 WHERE id = $1`, [account])
    const id = await submit({}, account)
    await work({ slots: 1, spreadSegments: 100_000 })
    await until(isRunning(server, id))
    await pass(server, 1_000_000)
    expect(await end(id)).toMatchObject({
      status: 'failed',
      failure_code: code,
      failure_message: expect.stringMatching(message),
    })
    expect(await parts.queue.depth()).toEqual({ waiting: 0, active: 0 })
  },
  600_000,
)
