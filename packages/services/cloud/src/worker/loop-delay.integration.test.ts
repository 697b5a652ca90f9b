import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delayOf, hostilePages } from '../../../../../scripts/dev/loop-turns.ts'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { openWork, page } from '../fixtures/work.ts'

/** One of each kind that makes something long; a render server, which renders in the same way, is tried with all. */
const KINDS: ReadonlySet<string> = new Set([
  'a thousand thousand references',
  'many findings',
  'many attributes',
  'many variables',
  'many rules',
  'a template of many elements',
])

const HOSTILE = hostilePages(page(1)).filter(([what]) => KINDS.has(what))

test.each(partOf(HOSTILE, 2))('rendering %s leaves the event loop of a worker to others', async (_what, html) => {
  const { project, submit, work, end } = await openWork()
  await work()
  // What is loaded once is no delay by a stranger.
  expect((await end(await submit())).status).toBe('completed')
  const render = async (text: string) => {
    await writeFile(join(project, 'index.html'), text)
    return end(await submit({ aspect_ratio: '9:16' }))
  }
  const { delayMs, result } = await delayOf(
    () => render(html),
    () => render(page(1)),
  )
  expect(delayMs).toBe(0)
  const { status, failure_code: code } = result
  if (status !== 'completed') expect(code).toMatch(/^VID_(?:HTML|COMPOSITION|START|CLOUD_SIZE|CLIP|SCRIPT)_/)
})
