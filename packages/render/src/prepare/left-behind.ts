import type { LeftBehind, SentProject } from '@vid/assets'

/** Finds what a render of a project would read here, and is not among the files that are sent somewhere else. */
export const findLeftBehind = async (sent: SentProject): Promise<LeftBehind> => {
  const assets = await import('@vid/assets')
  return assets.findLeftBehind(sent)
}
