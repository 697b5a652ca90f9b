/** A file of the project by its path there, one to import, or an address. */
export const readMediaWord = async (
  word: string,
  cwd: string,
  projectDir: string,
): Promise<{ readonly src: string } | { readonly inside: string } | { readonly import: string }> => {
  if (/^(?:https?:|data:)/i.test(word)) return { src: word }
  const [{ isAbsolute, relative, resolve, sep }, { realpath }] = await Promise.all([
    import('node:path'),
    import('node:fs/promises'),
  ])
  const path = await realpath(resolve(cwd, word)).catch(() => resolve(cwd, word))
  const inside = relative(projectDir, path)
  const isInside = inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)
  return isInside ? { inside: inside.split(sep).join('/') } : { import: path }
}
