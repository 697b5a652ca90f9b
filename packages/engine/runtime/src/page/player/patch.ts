import type { ElementPatch } from '../../contract/player.ts'
import { elementAt } from '../outline/element-path.ts'

/** Changes an element as its source will have it; one that is not there is left out. */
export const patchElement = ({ id, attributes = {}, styles = {}, text }: ElementPatch): void => {
  const element = document.getElementById(id) ?? (id.includes('/') ? elementAt(id) : null)
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  for (const [property, value] of Object.entries(styles)) {
    if (value === null) element.style.removeProperty(property)
    else element.style.setProperty(property, value)
  }
  if (text !== undefined) element.textContent = text
}
