export function ViewerMenu() {
  return null
}
