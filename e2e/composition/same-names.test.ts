import { copyFile, cp, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Patch } from '../support/colours.ts'
import { here, scratch } from '../support/vid.ts'
import { box, compare, renderAllWays, within } from '../support/ways.ts'

const { resolve } = createRequire(here('../packages/engine/browser/package.json'))
const fontFile = (carrier: string, file: string) =>
  join(dirname(resolve(`@expo-google-fonts/${carrier}/package.json`)), file)

test('files that use the same ids, font names and selectors for libraries do not conflict in a page', async () => {
  const project = join(await scratch(), 'project')
  await cp(here('projects/same-names'), project, { recursive: true })
  await symlink(here('../node_modules'), join(project, 'node_modules'))
  await copyFile(here('projects/libraries/slide.json'), join(project, 'slide.json'))
  const scenes = join(project, 'scenes')
  await copyFile(fontFile('jetbrains-mono', '400Regular/JetBrainsMono_400Regular.ttf'), join(scenes, 'card.ttf'))
  await copyFile(fontFile('inter', '400Regular/Inter_400Regular.ttf'), join(scenes, 'other.ttf'))

  const { frames, stderr } = await renderAllWays(project)
  const card = (t: number, y: number, start: number, tone: string, far: number): Patch[] => {
    if (!within(t, start)) return []
    const time = t - start
    return [
      box(0, y, 40, 10, tone),
      box(40, y, far / 10, 10, '#ffffff'),
      // Ten characters of 0.6 em: only in a monospace font is an i that wide.
      box(100, y, 48, 10, '#ffffff'),
      box(far * Math.min(time / 0.5, 1), y + 10, 20, 10, '#ffffff'),
      box(200 * time, y + 20, 20, 20, '#ffffff'),
      box(far, y + 40, 10, 10, tone),
    ]
  }
  const scene = (t: number): Patch[] => [
    ...card(t, 0, 0, '#ff0000', 50),
    ...card(t, 50, 0.25, '#00ff00', 100),
    ...card(t, 100, 0.5, '#0000ff', 200),
  ]
  expect(frames).toHaveLength(30)
  expect(compare(frames, scene, 149)).toEqual([])
  const [first = new Uint8Array()] = frames
  const bright = Array.from({ length: 320 }, (_, x) => first[(155 * 320 + x) * 3] ?? 0).filter((v) => v > 128)
  expect(bright.length).toBeGreaterThan(5)
  expect(bright.length).toBeLessThan(36)
  expect(stderr).not.toContain('warning')
})
