import { join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { describeCause, failRender, type Static, type TSchema, Value } from '@vid/protocol'
import { boundFolder, folderBlobs } from '@vid/system'
import { fail } from '../errors.ts'

const MAX_BYTES = 1024 ** 3

/** What was used this recently may still be in use in another process. */
const RECENT_MS = 60 * 60 * 1000

/** Results of speech programs in the cache folder of the user. */
export interface KeptResults {
  /** The result under a key that fits a schema; undefined without one. */
  read<S extends TSchema>(key: string, schema: S): Promise<Static<S> | undefined>
  write(key: string, result: unknown): Promise<void>
  /** Copies the sound under a key to a new file; false without one. */
  getSound(key: string, path: string): Promise<boolean>
  putSound(key: string, path: string): Promise<void>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // A damaged file counts as none.
    return undefined
  }
}

/** Opens the results that are kept; what was used longest ago is removed where they take more than 1 GiB. */
export const openKeptResults = async (env: NodeJS.ProcessEnv): Promise<KeptResults> => {
  const root = join(await openCacheDir(env), 'speech')
  const folder = join(root, 'results')
  const bound = boundFolder(folder, { maxBytes: MAX_BYTES, keepMs: RECENT_MS })
  const lacking = (key: string, cause: unknown) =>
    failRender('VID_MACHINE_LACKS', { doing: `keeping ${key}`, reason: describeCause(cause) }, { cause })
  const blobs = folderBlobs(folder, {
    incoming: join(root, 'partial'),
    isCache: true,
    refuse: (key) => fail('VID_SPEECH_OUTPUT', { by: 'the cache', reason: `"${key}" is no key` }),
    failed: (_action, key, cause) => lacking(key, cause),
  })
  const added = async (key: string) => bound.add(blobs.pathOf(key), (await blobs.size(key)) ?? 0)
  return {
    async read(key, schema) {
      const name = `${key}.json`
      const result = parse((await blobs.read(name)) ?? '')
      if (!Value.Check(schema, result)) return undefined
      await bound.touch(blobs.pathOf(name))
      return result as Static<typeof schema>
    },
    async write(key, result) {
      await blobs.write(`${key}.json`, JSON.stringify(result))
      await added(`${key}.json`)
    },
    async getSound(key, path) {
      const isKept = await blobs.get(`${key}.wav`, path)
      if (isKept) await bound.touch(blobs.pathOf(`${key}.wav`))
      return isKept
    },
    async putSound(key, path) {
      await blobs.put(`${key}.wav`, path)
      await added(`${key}.wav`)
    },
  }
}
