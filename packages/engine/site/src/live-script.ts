import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Where the build puts the script. */
const FILE = fileURLToPath(new URL('../dist/live/player.js', import.meta.url))

/** The script of the page that plays a video while it is rendered. */
export const readLiveScript = (): Promise<Buffer> => readFile(FILE)
