import { effect, signal } from '@preact/signals'

/** A part of the page that can be resized and folded. */
export interface Resizable {
  /** CSS pixels that were chosen; null for the layout's own size. */
  readonly size: number | null
  readonly isFolded: boolean
}

const storedPart = (key: string) => {
  const json = localStorage.getItem(key)
  const part = signal<Resizable>(json === null ? { size: null, isFolded: false } : JSON.parse(json))
  effect(() => localStorage.setItem(key, JSON.stringify(part.value)))
  return part
}

/** Colours of the page; `system` follows those of the system. */
export type Theme = 'system' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const THEME_KEY = 'vid-preview-theme'

/** The colours that were chosen. */
export const theme = signal<Theme>(THEMES.find((name) => name === localStorage.getItem(THEME_KEY)) ?? 'system')
effect(() => {
  localStorage.setItem(THEME_KEY, theme.value)
  document.documentElement.dataset.theme = theme.value
})

/** Changes to the next colours. */
export const nextTheme = (): void => {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
}

/** The panels beside the picture; sizes are widths. */
export const sidebar = storedPart('vid-preview-sidebar')

/** The timeline below the picture; sizes are heights. */
export const timelinePanel = storedPart('vid-preview-timeline')
