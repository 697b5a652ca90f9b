import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArtifactFile, artifactFiles, type DeliveryGrowth } from '@vid/kernel'
import { byRank, namesIn, type Playlist, putObject, readPlaylists } from '@vid/s3'
import { digestFile, runPool } from '@vid/system'
import { type UploadPlace, uploadInOrder, uploadOne } from './upload.ts'

/** Players ask for a playlist that grows again and again. */
const GROWING = 'no-cache'

/** Opens the upload of a video that is published while it is rendered, below a key. */
export const openGrowth = (key: string, to: UploadPlace, close: () => void): DeliveryGrowth => {
  /** Digests of the uploaded parts, by name. */
  const parts = new Map<string, string>()
  /** Texts of the uploaded playlists, by name. */
  const texts = new Map<string, string>()
  const keyOf = (name: string) => `${key}/${name}`

  const uploadParts = (folder: string, names: readonly string[], signal: AbortSignal) =>
    runPool(names, to.concurrency, signal, async (name, stop) => {
      const path = join(folder, name)
      const { size: bytes } = await stat(path)
      const file: ArtifactFile = { name, path, bytes }
      await uploadOne(file, keyOf(name), { ...to, concurrency: 1, place: { ...to.place, signal: stop } })
      parts.set(name, await digestFile(path, stop))
    })
  const uploadPlaylists = async (playlists: readonly Playlist[], signal: AbortSignal) => {
    for (const rank of byRank(playlists.filter(({ name, text }) => texts.get(name) !== text)))
      await runPool(rank, to.concurrency, signal, async ({ name, text }, stop) => {
        await putObject({ ...to.place, signal: stop }, keyOf(name), text, { cacheControl: GROWING })
        texts.set(name, text)
      })
  }
  const upload = async (folder: string, signal: AbortSignal) => {
    const playlists = await readPlaylists(folder, signal)
    const names = new Set(playlists.flatMap(({ text }) => namesIn(text)))
    await uploadParts(
      folder,
      [...names].filter((name) => !parts.has(name)),
      signal,
    )
    await uploadPlaylists(playlists, signal)
  }
  return {
    update: (folder) => upload(folder, to.place.signal),
    async end(folder, signal) {
      try {
        await upload(folder, signal)
      } finally {
        // A render ends with an abort of its signal, whatever its outcome.
        if (to.place.signal.aborted) close()
        else to.place.signal.addEventListener('abort', close, { once: true })
      }
    },
    async finish(artifact) {
      const { signal, bucket } = to.place
      const missing: ArtifactFile[] = []
      for (const file of await artifactFiles(artifact.path)) {
        const uploaded = parts.get(file.name)
        if (uploaded === undefined || uploaded !== (await digestFile(file.path, signal))) missing.push(file)
      }
      // A failure leaves the video as it was published, which players can play to its end.
      await uploadInOrder(missing, key, to, () => {})
      return `s3://${bucket}/${key}/`
    },
  }
}
