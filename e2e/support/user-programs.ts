import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'
import { beforeAll, expect, test } from 'vitest'
import { outside } from './toolkit.ts'
import { here } from './vid.ts'

/** Scripts of users by file name: settings, events, errors and configs have types in them, and mistakes have errors. */
export const USER_TYPES: Readonly<Record<string, string>> = {
  'user-types.ts': [
    "import { isVidError, type RenderEvent } from '@vid/kernel'",
    "import { createRenderer, render, type RenderOutcome, type RenderSettings } from '@vid/render'",
    "const settings: RenderSettings = { projectDir: 'postcard', fps: 60, quality: 'draft', variables: { a: 1 } }",
    '// @ts-expect-error no such quality',
    "const wrong: RenderSettings = { quality: 'best' }",
    'const onEvent = (event: RenderEvent) => {',
    "  if (event.type === 'segment-complete') console.log(event.index + event.frames)",
    '}',
    'export const one = (): Promise<RenderOutcome> => render(settings, { onEvent })',
    'export const codeOf = (error: unknown): string => (isVidError(error) ? error.code : String(wrong))',
    'export const open = () => createRenderer({ concurrency: 2 })',
  ].join('\n'),
  'user.config.ts': [
    "import { defineConfig } from '@vid/config'",
    "import mp4 from '@vid/encoder-mp4'",
    "import social from '@vid/preset-social'",
    "for (const preset of ['standard', 'social-square', 'social-story', 'social-wide', 'alpha', 'alpha-mov'] as const)",
    "  defineConfig({ preset, render: { format: 'webm' } })",
    '// @ts-expect-error no such preset',
    "defineConfig({ preset: 'social-squre' })",
    '// @ts-expect-error a factory that was not called',
    'defineConfig({ encoders: [mp4] })',
    '// @ts-expect-error an encoder in the slot of a store',
    'defineConfig({ store: mp4() })',
    '// @ts-expect-error no such option',
    'mp4({ thread: 1 })',
    "export default defineConfig({ presets: social(), preset: 'social-wide', render: { format: 'own' } })",
  ].join('\n'),
}

/** Tests of scripts in a folder that has only the packages installed; `installed` is called once they run. */
export const testUserPrograms = (installed: () => string): void => {
  let folder: string
  beforeAll(async () => {
    folder = installed()
    await cp(here('projects/postcard'), join(folder, 'postcard'), { recursive: true })
  })

  /** Runs a user's script in a folder that has only the packages installed. */
  const runScript = async (name: string, lines: readonly string[]) => {
    await mkdir(join(folder, 'scripts'), { recursive: true })
    await writeFile(join(folder, 'scripts', name), lines.join('\n'))
    return outside(folder, process.execPath, join('scripts', name))
  }

  test('a script of ten lines renders a folder', async () => {
    const { code, stdout, stderr } = await runScript('render.mjs', [
      "import { render } from '@vid/render'",
      'const types = []',
      'const { files, results } = await render(',
      "  { projectDir: 'postcard', output: 'out/card.mp4', quality: 'draft' },",
      '  { onEvent: (event) => types.push(event.type) },',
      ')',
      'const { renderTimeMs, ...facts } = results[0]',
      'console.log(JSON.stringify({ files, frames: facts.frames, types: [...new Set(types)] }))',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const printed = JSON.parse(stdout) as {
      files: { path: string; bytes: number }[]
      frames: number
      types: string[]
    }
    const path = join(folder, 'out/card.mp4')
    expect(printed.files.map((file) => file.path)).toEqual([path])
    expect(printed.types).toEqual(['render-start', 'render-progress', 'segment-complete', 'render-complete'])
    const frames: Uint8Array[] = []
    for await (const frame of decodeFrames(path, { pixFmt: 'rgb24' })) frames.push(frame)
    expect([frames.length, printed.frames]).toEqual([60, 60])
    // Something is drawn: its pixels are not all alike.
    expect(new Set(frames[30]).size).toBeGreaterThan(20)
  })

  test('a script cancels a render, gets a typed error, and nothing is left', async () => {
    const { code, stdout } = await runScript('cancel.mjs', [
      "import { render } from '@vid/render'",
      "import { isVidError } from '@vid/kernel'",
      'const stop = new AbortController()',
      'const onEvent = (event) => event.type === "render-progress" && event.framesRendered > 3 && stop.abort()',
      'try {',
      "  await render({ projectDir: 'postcard', output: 'out/never.mp4', cache: false }, { signal: stop.signal, onEvent })",
      '} catch (error) {',
      '  console.log(JSON.stringify([isVidError(error), error.code, error.hint.length > 0]))',
      '}',
    ])
    expect({ code, printed: JSON.parse(stdout) }).toEqual({ code: 0, printed: [true, 'VID_CANCELLED', true] })
    expect(existsSync(join(folder, 'out/never.mp4'))).toBe(false)
  })
}
