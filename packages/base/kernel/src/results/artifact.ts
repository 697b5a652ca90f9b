import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failRender } from '@vid/protocol'

/**
 * Bytes of a file, or of all files directly in a folder, that a plugin reports as its result; a missing one is its
 * failure.
 */
export const artifactBytes = async (plugin: string, hook: string, path: string): Promise<number> => {
  const stats = await stat(path).catch(() => undefined)
  const files = stats?.isDirectory() ? (await readdir(path)).map((name) => join(path, name)) : []
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const bytes = stats?.isDirectory() ? sizes.reduce((sum, size) => sum + size, 0) : stats?.size
  if (!bytes) throw failRender('VID_ARTIFACT_MISSING', { plugin, path }, { plugin, hook })
  return bytes
}

/** The content of a folder of images, which are frames and perhaps their sound, or of one for HTTP Live Streaming. */
const FOLDER_FILE =
  /^((frame_\d{6,}|audio)\.[a-z0-9]+|index\.m3u8|(\d+p|audio)(\.m3u8|-keys\.m3u8|-init\.mp4|-\d{5,}\.m4s)|captions-\d+(\.m3u8|-\d{5,}\.vtt)|chapters\.json|storyboard(\.vtt|-\d+\.jpg)|poster\.(jpg|png))$/

/** Whether a render writes a file of this name into a folder. */
export const isFolderFile = (name: string): boolean => FOLDER_FILE.test(name)

/**
 * Name of an entry of a folder that no render has written, so that the folder must not be replaced; undefined if none.
 */
export const foreignEntry = async (folder: string): Promise<string | undefined> => {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.find((entry) => !entry.isFile() || !isFolderFile(entry.name))?.name
}
