import type { ComponentType } from 'preact'
import { Icon } from '../parts/icon.tsx'
import { openComments } from '../review/comments.ts'
import { findings } from '../review/findings.ts'
import { problems } from '../state/problems.ts'
import { jobs } from '../state/renders.ts'
import { type Panel, panel } from '../state/view.ts'
import { ChangesPanel } from './changes-panel.tsx'
import { CommentsPanel } from './comments-panel.tsx'
import { CompositionsPanel } from './compositions-panel.tsx'
import { ElementPanel } from './element-panel.tsx'
import { ProblemsPanel } from './problems-panel.tsx'
import { RenderPanel } from './render-panel.tsx'
import { VariablesPanel } from './variables-panel.tsx'

const PANELS: readonly (readonly [Panel, string, ComponentType])[] = [
  ['element', 'Element', ElementPanel],
  ['changes', 'Changes', ChangesPanel],
  ['comments', 'Comments', CommentsPanel],
  ['variables', 'Variables', VariablesPanel],
  ['problems', 'Problems', ProblemsPanel],
  ['render', 'Render', RenderPanel],
  ['compositions', 'Files', CompositionsPanel],
]

const WORST = ['error', 'warning', 'note'] as const

const problemBadge = () => {
  const levels = [...problems.value.map(({ severity }) => severity), ...findings.value.map(({ level }) => level)]
  const kind = WORST.find((level) => levels.includes(level))
  return kind ? { text: String(levels.length), kind } : null
}

/** What stands at the icon of a tab. */
const badgeOf = (name: Panel): { readonly text: string; readonly kind: string } | null => {
  if (name === 'problems') return problemBadge()
  const open = openComments.value.length
  if (name === 'comments') return open > 0 ? { text: String(open), kind: 'note' } : null
  const running = jobs.value.filter(({ state }) => state === 'running' || state === 'queued').length
  return name === 'render' && running > 0 ? { text: String(running), kind: 'note' } : null
}

const turn = ({ key, currentTarget }: KeyboardEvent) => {
  const names = PANELS.map(([name]) => name)
  const index = names.indexOf(panel.value)
  const next = {
    ArrowRight: names[(index + 1) % names.length],
    ArrowLeft: names.at(index - 1),
    Home: names[0],
    End: names.at(-1),
  }[key]
  if (next === undefined) return
  panel.value = next
  if (currentTarget instanceof Element) currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
}

const Tabs = () => (
  <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={turn}>
    {PANELS.map(([name, title]) => {
      const badge = badgeOf(name)
      const isChosen = panel.value === name
      return (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={isChosen}
          aria-controls="panel"
          tabIndex={isChosen ? 0 : -1}
          title={title}
          onClick={() => {
            panel.value = name
          }}
        >
          <Icon name={name} />
          <span class="tab-name">{title}</span>
          {badge && <span class={`badge ${badge.kind}`}>{badge.text}</span>}
        </button>
      )
    })}
  </div>
)

/** The panels beside the picture. */
export const Sidebar = () => {
  const Shown = PANELS.find(([name]) => name === panel.value)?.[2]
  return (
    <div class="sidebar">
      <Tabs />
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${panel.value}`}>
        {Shown && <Shown />}
      </div>
    </div>
  )
}
