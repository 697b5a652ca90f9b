import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delayOf, hostilePages } from '../../../../../scripts/dev/loop-turns.ts'
import { openWork, page } from '../fixtures/work.ts'

/** A browser lays these out for most of a minute; those in a template are as many for everything else. */
const SLOW_PAGE = 'many elements'

const HOSTILE = hostilePages(page(1)).filter(([what]) => what !== SLOW_PAGE)

test.each(HOSTILE)('rendering %s leaves the event loop of a worker to others', async (_what, html) => {
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
