import { expect, test } from 'vitest'
import { request, setupOf, taps } from '../fixtures/plugins.ts'
import { createKernel, type PluginContext } from '../index.ts'

const none = { name: 'asker', options: {} }

/** A kernel whose plugin finds every source except `gone`, each time under another name, and the requests to it. */
const numbered = () => {
  const lookups: string[] = []
  const finder = taps('test-finder', (hooks) => {
    hooks.source.tapPromise('test-finder', async ({ src, projectDir }) => {
      lookups.push(`${projectDir} ${src}`)
      if (src === 'broken') throw new Error('the server is down')
      return src === 'gone' ? undefined : `/files/${lookups.length}`
    })
  })
  return { lookups, kernel: createKernel(setupOf({ plugins: [finder] })) }
}

test('a source is requested once in a render, also when it was not found or could not be fetched', async () => {
  const { lookups, kernel } = numbered()
  const { projectDir } = request
  const run = await kernel.open({ projectDir })
  try {
    const { sources }: PluginContext = run.context(none)
    expect(await Promise.all([sources.file('a.mp4'), sources.file('a.mp4')])).toEqual(['/files/1', '/files/1'])
    expect(await run.context({ ...none, name: 'other' }).sources.file('a.mp4')).toBe('/files/1')
    expect([await sources.file('gone'), await sources.file('gone')]).toEqual([undefined, undefined])
    const failure = { plugin: 'test-finder', hook: 'source' }
    await expect(sources.file('broken')).rejects.toMatchObject(failure)
    await expect(sources.file('broken')).rejects.toMatchObject(failure)
    expect(lookups).toEqual(['a.mp4', 'gone', 'broken'].map((src) => `${projectDir} ${src}`))
  } finally {
    await run.close()
  }
})

test('two renders of one kernel do not share answers', async () => {
  const { kernel } = numbered()
  const runs = [await kernel.open(request), await kernel.open(request)]
  try {
    const files = await Promise.all(runs.map((run) => run.context(none).sources.file('a.mp4')))
    expect(new Set(files).size).toBe(2)
  } finally {
    for (const run of runs) await run.close()
  }
})

test('a plugin answers for its own addresses, and leaves others to the next plugin', async () => {
  const bucket = taps('test-bucket', (hooks) => {
    hooks.source.tapPromise('test-bucket', async ({ src }) =>
      src.startsWith('s3://') ? `/bucket/${src.slice(5)}` : undefined,
    )
  })
  const rest = taps('test-rest', (hooks) => {
    hooks.source.tap('test-rest', ({ src }) => `/project/${src}`)
  })
  const run = await createKernel(setupOf({ plugins: [bucket, rest] })).open(request)
  try {
    const { sources } = run.context(none)
    expect(await sources.file('s3://videos/a.mp4')).toBe('/bucket/videos/a.mp4')
    expect(await sources.file('a.mp4')).toBe('/project/a.mp4')
  } finally {
    await run.close()
  }
})
