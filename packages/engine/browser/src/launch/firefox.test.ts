import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledFamilies } from '@vid/assets'
import { expect, onTestFinished, test } from 'vitest'
import { firefoxSettings, writeFirefoxProfile } from './firefox.ts'

test('each setting is listed once with its reason, and a profile has them all and may read the fonts', async () => {
  const names = firefoxSettings.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { reason } of firefoxSettings) expect(reason).toMatch(/\w+/)
  const folder = await mkdtemp(join(tmpdir(), 'profile-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFirefoxProfile(folder)
  const text = await readFile(join(folder, 'user.js'), 'utf8')
  for (const { name, value } of firefoxSettings)
    expect(text).toContain(`user_pref("${name}", ${JSON.stringify(value)});`)
  for (const { carrier } of bundledFamilies) expect(text).toContain(`${carrier}/`)
})
