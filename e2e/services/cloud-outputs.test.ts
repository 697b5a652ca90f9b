import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { openEmbedded } from '../../packages/services/cloud/src/database/embedded.ts'
import { prepareState } from '../support/cloud-state.ts'
import { colourFrames } from '../support/colours.ts'
import { here, printed, scratch, start, vidInProcess } from '../support/vid.ts'

/** Red, and blue where it is laid out upright. */
const page = `<!doctype html><style>
  #root { background: #c02020 }
  #root[data-shape="9:16"] { background: #2020c0 }
</style>
<div id="root" data-composition-id="root" data-width="1920" data-height="1080" data-duration="0.2"
 data-shapes="16:9,9:16" data-no-timeline></div>`

/** Starts a server of the hosted API on the state of a folder. */
const serve = async (cwd: string, ...flags: string[]) => {
  const server = start(['cloud', 'serve', '--port', '0', '--state', 'state', '--json', ...flags], { cwd })
  const [line] = await printed(server, /^.*"cloud-start".*\n/m)
  return { ...server, ...(JSON.parse(line) as { url: string }) }
}

/** A hosted API with its own database, and a folder of a client with an account of it. */
const startHosted = async () => {
  const cwd = await scratch()
  await symlink(here('../node_modules'), join(cwd, 'node_modules'))
  await mkdir(join(cwd, 'duo'))
  await writeFile(join(cwd, 'duo/index.html'), page)
  await prepareState(cwd)
  const server = await serve(cwd)
  const { url } = server
  await vidInProcess(['cloud', 'accounts', 'create', '--email', 'mia@example.com', '--state', 'state'], { cwd })
  const keys = await vidInProcess(['cloud', 'keys', 'create', 'mia@example.com', '--state', 'state'], { cwd })
  const env = { HOME: cwd, HOST_API_URL: url, HOST_API_KEY: keys.stdout.trim() }
  return { cwd, server, env, run: (...words: string[]) => vidInProcess(words, { cwd, env }) }
}

/** The colour in the middle of the last picture of a file. */
const middleOf = async (file: string, width: number, height: number) => {
  const frame = (await colourFrames(file)).at(-1) ?? new Uint8Array()
  const offset = 3 * ((height / 2) * width + width / 2)
  return [...frame.subarray(offset, offset + 3)]
}

const near = (colour: readonly number[]) =>
  colour.map((value) => expect.toSatisfy((shown: number) => Math.abs(shown - value) <= 6, `about ${value}`))

test('a hosted API makes the codec, the poster and the shapes that are named, or refuses them', async () => {
  const { cwd, run } = await startHosted()
  const refusals = [
    [['--codec', 'hevc', '--format', 'webm'], 'codec'],
    [['--poster', '9s'], 'poster'],
    [['--shapes', '1:1'], '1:1'],
  ] as const
  for (const [flags, text] of refusals) {
    const { code, stdout, stderr } = await run('cloud', 'render', 'duo', '--poll-interval', '0.1', ...flags)
    expect([code, stdout, stderr]).toEqual([expect.toBeOneOf([1, 2]), '', expect.stringContaining(text)])
  }
  const flags = ['-q', 'draft', '--fps', '10', '--codec', 'hevc', '--poster', '50%', '--shapes', '16:9,9:16']
  const render = await run('cloud', 'render', 'duo', ...flags, '-o', 'out/{shape}.mp4', '--poll-interval', '0.1')
  expect(render.code, render.stderr).toBe(0)
  expect(render.stdout).toBe('out/16x9.mp4\nout/9x16.mp4\n')
  for (const [name, width, height, colour] of [
    ['16x9', 1920, 1080, [0xc0, 0x20, 0x20]],
    ['9x16', 1080, 1920, [0x20, 0x20, 0xc0]],
  ] as const) {
    const file = join(cwd, 'out', `${name}.mp4`)
    const [video] = (await probeMedia(file, { countFrames: true })).video
    expect(video, name).toMatchObject({ codec: 'hevc', codecTag: 'hvc1', width, height, frames: 2 })
    expect(await middleOf(file, width, height), name).toEqual(near(colour))
    const poster = join(cwd, 'out', `${name}.poster.jpg`)
    expect((await probeMedia(poster)).video, name).toMatchObject([{ codec: 'mjpeg', width, height }])
    expect(await middleOf(poster, width, height), name).toEqual(near(colour))
  }
})

test('results end after --result-ttl, unless their account keeps them for longer', async () => {
  const { cwd, server, env, run } = await startHosted()
  const flags = ['-q', 'draft', '--fps', '10', '--json', '--no-wait']
  const submit = async () => {
    const { stdout, stderr } = await run('cloud', 'render', 'duo', ...flags)
    const { render_id: id } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { render_id: string }
    expect(id, stderr).toMatch(/^render_/)
    return id
  }
  const id = await submit()
  const change = (ttl: string) =>
    vidInProcess(
      ['cloud', 'accounts', 'change', 'mia@example.com', '--result-ttl', ttl, '--state', 'state', '--json'],
      {
        cwd,
      },
    )
  expect(JSON.parse((await change('7200')).stdout)).toMatchObject({ account: { resultTtlSeconds: 7200 } })
  await expect
    .poll(async () => JSON.parse((await run('cloud', 'get', id, '--json')).stdout).render?.status, { timeout: 120_000 })
    .toBe('completed')
  server.child.kill('SIGTERM')
  await server.done
  // An hour passes.
  const database = await openEmbedded(join(cwd, 'state', 'database'))
  await database.script(`UPDATE vid.renders SET completed_at = completed_at - interval '1 hour';
    DELETE FROM vid.settings WHERE key = 'swept_at'`)
  await database.close()

  const again = await serve(cwd, '--result-ttl', '60')
  const get = async () => {
    const key = { ...env, HOST_API_URL: again.url }
    return vidInProcess(['cloud', 'get', id, '--json'], { cwd, env: key })
  }
  expect((await get()).code).toBe(0)
  expect(JSON.parse((await change('none')).stdout)).toMatchObject({ account: { resultTtlSeconds: null } })
  await vidInProcess(['cloud', 'doctor', '--sweep', '--state', 'state'], { cwd })
  await expect.poll(async () => (await get()).stderr, { timeout: 120_000 }).toContain('vid_render_not_found')
})
