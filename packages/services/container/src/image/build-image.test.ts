import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../engine/find-engine.ts'
import { buildImage } from './build-image.ts'

const files = {
  'package.json': '{ "name": "image", "version": "1.0.0" }',
  'package-lock.json': '{ "name": "image", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": {} } }',
  'recipe.json': '{}',
  Dockerfile: 'FROM scratch',
  '.dockerignore': '',
}

/** A recipe without packages, and an engine whose program runs a script for each call and records its arguments. */
const recipeFor = async (script: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'recipe-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const program = join(folder, 'engine')
  await writeFile(program, `#!/bin/sh\necho "$*" >> '${folder}/calls'\n${script}\n`, { mode: 0o755 })
  const temp = await mkdtemp(join(tmpdir(), 'build-'))
  onTestFinished(() => rm(temp, { recursive: true, force: true }))
  vi.stubEnv('TMPDIR', temp)
  onTestFinished(() => void vi.unstubAllEnvs())
  const facts = { kind: 'podman', version: '5', isRootless: false, remapsUsers: false, limits: true } as const
  const engine: Engine = { ...facts, program, env: process.env, memoryBytes: 1, cores: 1 }
  const digest = 'feed'.repeat(16)
  const recipe = { folder, version: '1.0.0', digest, reference: 'localhost/vid:1' }
  return {
    temp,
    build: () => buildImage(engine, recipe, { env: process.env }),
    calls: async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n'),
  }
}

test('a build that fails says what the engine said, and leaves no file and no stage', async () => {
  const { build, calls, temp } = await recipeFor('[ "$1" = build ] || exit 0; echo "no space left" >&2; exit 1')
  await expect(build()).rejects.toMatchObject({
    code: 'VID_CONTAINER_BUILD_FAILED',
    fault: 'machine',
    message: expect.stringContaining('podman build failed: no space left'),
  })
  expect(await calls()).toEqual([
    expect.stringMatching(/^build --platform linux\/amd64 .* --timestamp \d+ .*--tag localhost\/vid:1 \.$/),
    `image prune --force --filter label=dev.vid.prepared=${'feed'.repeat(16)}`,
  ])
  expect(await readdir(temp)).toEqual([])
})
