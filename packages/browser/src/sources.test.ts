import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '@vid/assets'
import { expect, test } from 'vitest'
import { makeProject } from './fixtures/session.ts'
import { COMPOSITION_SOURCE, createSourceCheck } from './index.ts'

const { signal } = new AbortController()

test('inputs are the same until a file changes, or one that was missing appears', async () => {
  const projectDir = await makeProject({ 'style.css': 'p { top: 0 }' })
  const composition = digestOf('the page')
  const inputs = [
    { source: 'gone.mp4', digest: null },
    { source: 'gone.svg', digest: null },
    { source: 'style.css', digest: digestOf('p { top: 0 }') },
    { source: COMPOSITION_SOURCE, digest: composition },
  ]
  const isSame = () => createSourceCheck({ projectDir, composition, privateHosts: [] })(inputs, signal)
  expect(await isSame()).toBe(true)
  await writeFile(join(projectDir, 'style.css'), 'p { top: 1 }')
  expect(await isSame()).toBe(false)
  await writeFile(join(projectDir, 'style.css'), 'p { top: 0 }')
  expect(await isSame()).toBe(true)
  await mkdir(join(projectDir, 'gone.svg'))
  expect(await isSame()).toBe(true)
  await writeFile(join(projectDir, 'gone.mp4'), 'here')
  expect(await isSame()).toBe(false)
})
