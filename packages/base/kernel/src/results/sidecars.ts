import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import type { Artifact } from '../contracts/roles.ts'
import { besidePath } from './beside.ts'

/** A text file of a plan beside one of its outputs. */
export interface PlacedSidecar {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

/** The text files of a plan that stand beside outputs, each path once. */
export const placeSidecars = (
  outputs: readonly string[],
  sidecars: RenderPlan['sidecars'] = [],
): readonly PlacedSidecar[] => {
  const texts = new Map<string, string>()
  for (const output of outputs) for (const { suffix, text } of sidecars) texts.set(besidePath(output, suffix), text)
  return [...texts].map(([path, text]) => ({ path, text }))
}

/** Writes them into a scratch folder, from which they are delivered. */
export const writeSidecars = (
  sidecars: readonly PlacedSidecar[],
  workDir: string,
): Promise<readonly { readonly file: Artifact; readonly outputPath: string }[]> =>
  Promise.all(
    sidecars.map(async ({ path: outputPath, text }, index) => {
      const path = join(workDir, `sidecar-${index}`)
      await writeFile(path, text)
      return { file: { path }, outputPath }
    }),
  )
