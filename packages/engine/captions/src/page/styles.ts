/** Looks without any weight: every rule of a page wins over them. */
const CSS_TEXT = `
:where(vid-captions){
  position:absolute;left:0;right:0;bottom:var(--captions-bottom,8%);z-index:var(--captions-layer,1000);
  box-sizing:border-box;padding:0 var(--captions-side,8%);
  display:flex;flex-direction:column;align-items:center;gap:.25em;
  font:var(--captions-weight,700) var(--captions-size,5.2vmin)/var(--captions-line-height,1.25) var(--captions-font,sans-serif);
  color:var(--captions-color,#fff);text-align:center;text-shadow:var(--captions-shadow,none);
  white-space:pre;pointer-events:none}
:where(.vid-captions-cue){
  background:var(--captions-background,rgb(0 0 0/.65));padding:var(--captions-padding,.15em .5em);
  border-radius:var(--captions-radius,.2em)}
:where([mode=pop]>*>*>.vid-captions-word){display:inline-block}
:where(.vid-captions-word[data-state=next]){color:var(--captions-next,inherit)}
:where(.vid-captions-word[data-state=past]){color:var(--captions-past,inherit)}
:where(.vid-captions-word[data-state=now]){color:var(--captions-now,inherit)}
:where([mode=karaoke]>*>*>[data-state=past]){color:var(--captions-past,#ffd54a)}
:where([mode=karaoke]>*>*>[data-state=now]){
  color:transparent;text-shadow:none;
  background:linear-gradient(to right,var(--captions-past,#ffd54a) var(--spoken),var(--captions-next,var(--captions-color,#fff)) var(--spoken)) text}
:where([mode=karaoke]>[dir=rtl]>*>[data-state=now]){
  background:linear-gradient(to left,var(--captions-past,#ffd54a) var(--spoken),var(--captions-next,var(--captions-color,#fff)) var(--spoken)) text}
:where([mode=pop]>*>*>[data-state=next]){visibility:hidden}
:where([mode=pop]>*>*>[data-state=now]){color:var(--captions-now,#ffd54a)}
`

/** Adds the looks to the document, once. */
export const addStyles = (): void => {
  if (document.getElementById('vid-captions-style')) return
  const style = document.createElement('style')
  style.id = 'vid-captions-style'
  style.textContent = CSS_TEXT
  document.head.prepend(style)
}
