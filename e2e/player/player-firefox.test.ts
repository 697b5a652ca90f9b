import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firefox, startFirefox, why } from '../support/firefox.ts'
import { openPlayer, pictureOf, seekFrame } from '../support/player-site.ts'
import { differenceOf } from '../support/same-picture.ts'
import { here, scratch, vid } from '../support/vid.ts'

describe.skipIf(!firefox)(`in Firefox${why}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startFirefox()
  })
  afterAll(() => browser?.close())

  test.each(['windows', 'clockwork'])('%s plays, and a paused frame looks as in a snapshot', async (name) => {
    const project = here(`projects/${name}`)
    const page = await openPlayer(browser, project)
    const folder = await scratch()
    const shot = await vid(['snapshot', project, '-o', folder, '--at', '1.5s,0.5s'])
    expect(shot, shot.stderr).toMatchObject({ code: 0 })
    for (const seconds of [1.5, 0.5]) {
      await seekFrame(page, seconds * 30)
      const still = await readFile(join(folder, `snapshot_${seconds}s.png`))
      const { pixels } = differenceOf(await pictureOf(page), still)
      // It draws edges between pixels in its own way.
      expect(pixels, `at ${seconds} s`).toBeLessThan(400)
    }
    const last = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const player = document.querySelector('vid-player')
          player?.addEventListener('ended', () => resolve(player.frames - 1 - player.frame))
          void player?.play()
        }),
    )
    expect(last).toBe(0)
  })
})
