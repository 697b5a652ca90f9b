import { mkdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { outputUnwritable, placeArtifact } from '@vid/kernel'
import { createRenderer } from '@vid/render'
import { layoutSheet } from './layout.ts'
import { pageHtml } from './page-html.ts'
import type { Sheet } from './sheet.ts'

/** Where a sheet is drawn, and where it goes. */
export interface SheetPlace {
  /** Scratch folder that holds the pictures of the tiles. */
  readonly folder: string
  /** Absolute path of the PNG; further pages get a number before the extension. */
  readonly output: string
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** The path of a page: `sheet.png`, `sheet-2.png`, … */
export const pagePath = (output: string, page: number): string => {
  const extension = extname(output)
  return page === 0 ? output : `${output.slice(0, -extension.length || undefined)}-${page + 1}${extension}`
}

/** Draws the pages of a sheet, and returns their paths. */
export const drawSheet = async (
  sheet: Sheet,
  { folder, output, env, signal }: SheetPlace,
): Promise<readonly { readonly path: string; readonly width: number; readonly height: number }[]> => {
  const pages = layoutSheet(sheet)
  // A config of the user is about compositions, not about sheets.
  const renderer = await createRenderer({ cwd: folder, env })
  const drawn = join(folder, 'drawn')
  await mkdir(drawn, { recursive: true })
  const paths = []
  try {
    for (const [index, page] of pages.entries()) {
      const entry = `page-${index}.html`
      await writeFile(join(folder, entry), pageHtml(page))
      const settings = {
        projectDir: folder,
        entry,
        output: join(drawn, String(index)),
        at: '0',
        network: 'none' as const,
      }
      const { snapshots } = await renderer.takeStills(settings, { signal })
      const path = pagePath(output, index)
      await placeArtifact(snapshots[0]?.path ?? '', path, signal).catch((cause: unknown) => {
        signal.throwIfAborted()
        throw outputUnwritable(path, cause)
      })
      paths.push({ path, width: page.width, height: page.height })
    }
  } finally {
    await renderer.close()
  }
  return paths
}
