export default function TagsPage() {
  return null
}
