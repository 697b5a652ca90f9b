/** A browser's base of elements; elsewhere, as when pages are made on a server, something to extend. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

/** The properties of a player that are attributes of its element. */
export class ReflectedAttributes extends Base {
  get src(): string {
    return this.getAttribute('src') ?? ''
  }
  set src(value: string) {
    this.setAttribute('src', value)
  }
  get poster(): string {
    return this.getAttribute('poster') ?? ''
  }
  set poster(value: string) {
    this.setAttribute('poster', value)
  }
  get controls(): boolean {
    return this.hasAttribute('controls')
  }
  set controls(value: boolean) {
    this.toggleAttribute('controls', value)
  }
  get autoplay(): boolean {
    return this.hasAttribute('autoplay')
  }
  set autoplay(value: boolean) {
    this.toggleAttribute('autoplay', value)
  }
  get loop(): boolean {
    return this.hasAttribute('loop')
  }
  set loop(value: boolean) {
    this.toggleAttribute('loop', value)
  }
  get muted(): boolean {
    return this.hasAttribute('muted')
  }
  set muted(value: boolean) {
    this.toggleAttribute('muted', value)
  }
}
