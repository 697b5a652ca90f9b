import { expect, test } from 'vitest'
import { delayOf, hostilePages } from '../../../../scripts/dev/loop-turns.ts'
import { partOf } from '../../../../scripts/dev/part-of.ts'
import { page, startCloud, zipOf } from './fixtures/cloud.ts'

test.each(partOf(hostilePages(page()), 5))(
  'uploading and submitting %s leaves the event loop to others',
  async (_what, html) => {
    const { upload, submit, asset, get } = await startCloud()
    // What is loaded once is no delay by a stranger.
    await submit(await asset())
    const zip = await zipOf({ 'index.html': html, 'captions.srt': html })
    const begin = async (zip: Awaited<ReturnType<typeof zipOf>>) => {
      const health = get('/health')
      const { json } = await upload(zip)
      const reply = await submit(json.data.asset_id, {
        variables: { title: 'x'.repeat(100_000) },
        strict_variables: false,
      })
      expect((await health).status).toBe(200)
      return reply
    }
    const ordinary = await zipOf({ 'index.html': page(), 'captions.srt': '' })
    const { delayMs, result } = await delayOf(
      () => begin(zip),
      () => begin(ordinary),
    )
    expect(delayMs).toBe(0)
    const { status, json } = result
    expect([202, 400]).toContain(status)
    expect(JSON.stringify(json).length).toBeLessThan(2 ** 14)
  },
)
