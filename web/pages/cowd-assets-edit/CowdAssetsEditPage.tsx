export default function CowdAssetsEditPage() {
  return null
}
