import { expect, test } from 'vitest'
import { hostilePages, longestTurnOf } from '../../../../scripts/dev/loop-turns.ts'
import { page, startCloud, zipOf } from './fixtures/cloud.ts'

test.each(hostilePages(page()))('uploading and submitting %s leaves the event loop to others', async (_what, html) => {
  const { upload, submit, asset, get } = await startCloud()
  // What is loaded once is no delay by a stranger.
  await submit(await asset())
  const zip = await zipOf({ 'index.html': html, 'captions.srt': html })
  const work = (async () => {
    const { json } = await upload(zip)
    return submit(json.data.asset_id, { variables: { title: 'x'.repeat(100_000) }, strict_variables: false })
  })()
  const health = get('/health')
  expect(await longestTurnOf(work)).toBeLessThan(100)
  expect((await health).status).toBe(200)
  const { status, json } = await work
  expect([202, 400]).toContain(status)
  expect(JSON.stringify(json).length).toBeLessThan(2 ** 14)
})
