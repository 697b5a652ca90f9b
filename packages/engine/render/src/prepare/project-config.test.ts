import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openContext } from './context.ts'
import { loadProjectConfig } from './project-config.ts'

test('on the remote side, a target that only the other side has is not looked for', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'vid-config-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  await writeFile(join(cwd, 'vid.config.mjs'), `export default { target: 'elsewhere', render: { fps: 12 } }`)
  const load = async (isRemoteSide: boolean, env: NodeJS.ProcessEnv = {}) =>
    loadProjectConfig(cwd, {}, await openContext({ cwd, configFrom: 'cwd', env, isRemoteSide }))
  await expect(load(false)).rejects.toMatchObject({ code: 'VID_TARGET_UNKNOWN' })
  for (const env of [{}, { VID_TARGET: 'nowhere' }])
    expect(await load(true, env)).toMatchObject({ target: 'local', render: { fps: 12 } })
})
